import { type Ephemeron, spansOf } from '../model/ephemeron.ts'

export default {
  kind: 'ephemeral-port',
  why: 'The system hands out the ports from 32768 on anew for each connection (001).',
  weight: 'session',
  placeholder: '<port>',
  find: (text) =>
    PATTERNS.flatMap((pattern) => spansOf(text, pattern)).filter(({ start, end }) => {
      const port = Number(text.slice(start, end))
      return port >= 32768 && port <= 65535
    }),
} satisfies Ephemeron

const PATTERNS = [
  /(?:\blocalhost|\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[[0-9a-f:.%]{2,40}\]|::1?|\*|:::|\bhost\.docker\.internal|:\/\/[\w.-]{1,253}|@[\w.-]{1,253}):(?<it>\d{5})(?!\d)/dgi,
  /(?<![\w.\])>-]):(?<it>\d{5})(?![\d.:])/dg,
  /\bports?["']?(?:\s{0,2}[:=#]\s{0,2}|\s{1,3})["']?(?:tcp\/|udp\/)?(?<it>\d{5})(?!\d)/dgi,
  /(?:^|\s)(?:-p|--publish)[\s=]{0,2}(?:[\d.]{7,15}:)?(?<it>\d{5})(?::\d{1,5})?(?!\d)/dg,
]
