import { describe } from 'vitest'
import assignment from '../../src/ephemera/assignment.ts'
import { finds } from './finds.ts'

describe('assignment', () => {
  const word = 'hunter' + '2'
  const token = 'a9Zk3Lq7Wm2X' + 'v8Bn5Rt1Yc6H'
  finds(assignment, [
    [`PASSWORD=${word} npm start`, word],
    [`password: ${word}`, word],
    [`{"password":"${word}"}`, word],
    [`--token ${token}`, token],
    [`--db-password=${word}`, word],
    [`--pw ${word}`, word],
    [`SECRET_KEY=${token}`, token],
    [`curl -u anna:${word} x`, word],
    [`mysql -u root -p${word}`, word],
    [`https://x.dev/?token=${token}&a=1`, token],
    ['password: required'],
    ['PASSWORD=$PASSWORD'],
    ['PASSWORD=${{ secrets.P }}'],
    ['password=<password>'],
    ['password=***'],
    ['--password-stdin'],
    ['--token is required'],
    ['token: string'],
    ['max_tokens=4096'],
    ['docker run -u 1000:1000 x'],
    ['PWD=/srv/app'],
    ['apiKey: process.env.API_KEY'],
    ['token = getToken(x)'],
    ['private_key=./keys/dev.pem'],
  ])
})
