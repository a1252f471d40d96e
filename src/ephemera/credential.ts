import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import type { SecretLintRuleContext, SecretLintRuleCreator, SecretLintSourceCode } from '@secretlint/types'
import type { Ephemeron, Span } from '../model/ephemeron.ts'

/**
 * The rules are called one by one, without their core: it keeps a performance mark of every call for as long as the
 * process lives, and its messages carry the secret. Here nothing but the range of a finding is ever taken.
 * The rule that obeys `secretlint-disable` comments is left out: a text must not be able to switch the others off.
 */
export default {
  kind: 'credential',
  why: 'A credential of a known service opens that service to everybody who reads the repository.',
  weight: 'secret',
  placeholder: '<secret>',
  find: async (text) => {
    const spans: Span[] = []
    for (const rule of SCANNERS) await rule.create(contextOf(spans), { enableIDScanRule: true }).file?.(sourceOf(text))
    return spans
  },
} satisfies Ephemeron

type Scanner = SecretLintRuleCreator<{ enableIDScanRule: boolean }>
const SCANNERS = (rules as readonly Scanner[]).filter((rule) => !rule.meta.id.endsWith('filter-comments'))

const contextOf = (spans: Span[]): SecretLintRuleContext =>
  ({
    sharedOptions: {},
    createTranslator: () => () => ({ message: '', messageId: '', data: {} }),
    report: ({ range: [start, end] }: { range: readonly [number, number] }) => void spans.push({ start, end }),
    ignore: () => {},
  }) as unknown as SecretLintRuleContext

// Without a path no rule reads a file; the extension makes the one for service accounts look at JSON.
const sourceOf = (content: string): SecretLintSourceCode =>
  ({ content, contentType: 'text', ext: '.json', filePath: undefined, hasBOM: false }) as unknown as SecretLintSourceCode
