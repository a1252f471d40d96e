import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDuration, parseDuration } from '../src/duration.mjs'

test('reads hours, minutes and seconds', () => {
  assert.equal(parseDuration('1h 30m 5s'), 5405)
})

test('reads days', () => {
  assert.equal(parseDuration('1d 2h'), 93600)
})

test('refuses what is no duration', () => {
  assert.throws(() => parseDuration('soon'), RangeError)
})

test('writes the shortest form', () => {
  assert.equal(formatDuration(5400), '1h 30m')
  assert.equal(formatDuration(0), '0s')
})
