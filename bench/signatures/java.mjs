const pom = (more = '') => `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>app</groupId><artifactId>app</artifactId><version>1.0</version>${more}</project>\n`

/** What Maven says before it needs a plugin: a machine without network has none. */
export const java = [
  {
    id: 'maven',
    needs: 'mvn',
    files: { 'pom.xml': pom() },
    faults: [
      { name: 'a phase', is: 'usage', argv: ['mvn', '-o', '-B', 'nope'] },
      { name: 'another phase', is: 'usage', argv: ['mvn', '-o', '-B', 'other'] },
      { name: 'an option', is: 'usage', argv: ['mvn', '-o', '--nope'] },
      { name: 'no description', is: 'path-missing', argv: ['mvn', '-o', '-B', '-f', 'nowhere.xml', 'validate'] },
      { name: 'a broken description', is: 'red', argv: ['mvn', '-o', '-B', 'validate'], files: { 'pom.xml': pom('<nope>') } },
    ],
  },
]
