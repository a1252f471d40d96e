/** What a test of one file asks for; null: nothing that a file says. */
export function testHow(operator: string): 'read' | 'stat' | 'mode' | 'times' | null {
  if (/^-[afde]$/.test(operator)) return 'stat'
  if (operator === '-s') return 'read'
  if (operator === '-N') return 'times'
  return /^-[bcghkpruwxGLOS]$/.test(operator) ? 'mode' : null
}
