import { expect, it } from 'vitest'
import { sha256 } from '../../src/base/digest.ts'
import mysql from '../../src/mutations/mysql.ts'
import { mutationSuite, typed } from './table.ts'

const AT = 'database mysql://db.example.com/app'
const SQL = 'INSERT INTO t VALUES (1)'
const ID = `INSERT t sha256:${sha256(SQL)}`

mutationSuite(mysql, {
  means: [
    [`mysql -h db.example.com -u root app -e '${SQL}'`, 'harmful', AT, ID],
    [`mysql -hdb.example.com -psecret app --execute='${SQL}'`, 'harmful', AT, ID],
    [`mariadb -h db.example.com -P 3307 -D app -e '${SQL}'`, 'harmful', 'database mysql://db.example.com:3307/app', ID],
    [`mysql app -e '${SQL}'`, 'harmful', 'machine mysql:app', ID],
    ['mysql -h db.example.com app < dump.sql', 'harmful', AT, '@dump.sql'],
    ["mysql -h db.example.com app -e 'source dump.sql'", 'harmful', AT, '@dump.sql'],
    ["mysql -h db.example.com app -e 'TRUNCATE t'", 'convergent', AT, `TRUNCATE t sha256:${sha256('TRUNCATE t')}`],
    [`mysql -h $HOST app -e '${SQL}'`, 'harmful', null, ID],
  ],
  not: ["mysql -h db.example.com app -e 'SELECT 1'", "mysql app -e 'SHOW TABLES'", 'mysql --version', 'mysql app', 'mysqldump app', 'mysql --help', "mysql app -e 'DESCRIBE t'", "mysqladmin -e 'DROP'", "mysql app -e \"SELECT 'DROP TABLE t'\""],
  done: [
    [`mysql -h db.example.com app -e '${SQL}'`, '', AT, ID, sha256(SQL)],
    [`?mysql -vv -h db.example.com app -e '${SQL}'`, 'Query OK, 1 row affected (0.01 sec)\n', AT, ID, sha256(SQL)],
    ['mysql -h db.example.com app < dump.sql', '', AT, '@dump.sql'],
    [`mysql -h db.example.com -psecret app -e '${SQL}'`, 'mysql: [Warning] Using a password on the command line interface can be insecure.\n', AT, ID, sha256(SQL)],
  ],
  open: [
    [`?mysql -h db.example.com app -e '${SQL}'`, '', null],
    [`?mysql -h db.example.com app -e '${SQL}'`, 'ERROR 1062 (23000) at line 1: Duplicate entry\n', 'not-done'],
    ['mysql -f -h db.example.com app < dump.sql', '', null],
    ['?mysql -h db.example.com app < dump.sql', 'ERROR 1062 (23000) at line 9: Duplicate entry\n', null],
    [`mysql -vv -h db.example.com app -e '${SQL}'`, 'Query OK, 0 rows affected (0.01 sec)\n', 'not-done'],
  ],
})

it('keeps no password', () => {
  for (const line of [`mysql -h db.example.com -phunter2pass app -e '${SQL}'`, `mysql -h db.example.com --password=hunter2pass app -e '${SQL}'`, `MYSQL_PWD=hunter2pass mysql -h db.example.com app -e '${SQL}'`, `mysql -h db.example.com app -e "CREATE USER a IDENTIFIED BY 'hunter2pass'"`])
    expect(JSON.stringify(mysql.intends(typed(line)))).toMatch(/^(?!.*hunter2pass).*db\.example\.com\/app/)
})
