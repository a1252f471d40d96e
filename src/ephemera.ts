import type { Ephemeron } from './model/ephemeron.ts'
import absolutePath from './ephemera/absolute-path.ts'
import address from './ephemera/address.ts'
import ansi from './ephemera/ansi.ts'
import assignment from './ephemera/assignment.ts'
import bearer from './ephemera/bearer.ts'
import containerHost from './ephemera/container-host.ts'
import counter from './ephemera/counter.ts'
import credential from './ephemera/credential.ts'
import digest from './ephemera/digest.ts'
import duration from './ephemera/duration.ts'
import ephemeralPort from './ephemera/ephemeral-port.ts'
import highEntropy from './ephemera/high-entropy.ts'
import homeDirectory from './ephemera/home-directory.ts'
import lineNumber from './ephemera/line-number.ts'
import namedSecret from './ephemera/named-secret.ts'
import oneTimeToken from './ephemera/one-time-token.ts'
import privateKey from './ephemera/private-key.ts'
import processId from './ephemera/process-id.ts'
import redacted from './ephemera/redacted.ts'
import sessionId from './ephemera/session-id.ts'
import temporaryPath from './ephemera/temporary-path.ts'
import tenant from './ephemera/tenant.ts'
import time from './ephemera/time.ts'
import token from './ephemera/token.ts'
import urlPassword from './ephemera/url-password.ts'
import uuid from './ephemera/uuid.ts'

/** What does not last (001, `ephemeral_exclusion_list`): secrets, then what belongs to a session, then noise. */
export const ephemera: readonly Ephemeron[] = [
  credential,
  token,
  bearer,
  assignment,
  namedSecret,
  urlPassword,
  privateKey,
  highEntropy,
  redacted,
  sessionId,
  uuid,
  temporaryPath,
  homeDirectory,
  ephemeralPort,
  processId,
  time,
  containerHost,
  oneTimeToken,
  tenant,
  ansi,
  absolutePath,
  lineNumber,
  address,
  duration,
  counter,
  digest,
]
