#!/usr/bin/env node
import { parseDuration } from './duration.mjs'

try {
  console.log(parseDuration(process.argv.slice(2).join(' ')))
} catch (error) {
  console.error(`clockwork: ${error.message}`)
  process.exitCode = 64
}
