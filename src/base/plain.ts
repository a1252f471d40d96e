import { stripVTControlCharacters } from 'node:util'

/** A tool's output without terminal escapes, its lines ended by \n alone; what a carriage return overwrote is gone. */
export const plainLines = (output: string): string =>
  stripVTControlCharacters(output)
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => (line.includes('\r') ? line.slice(line.lastIndexOf('\r') + 1) : line))
    .join('\n')
