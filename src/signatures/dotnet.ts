import { closing, failed, lasting } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, keysIn, namedFiles, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'dotnet',
  why: 'dotnet closes a build with whether it succeeded, and a run of tests with a line of counts for each project or for all.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'dotnet') return null
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const { folder } = command
    const [verb = '', ...rest] = args
    const projects = rest.filter((arg) => /\.(?:sln|slnx|csproj|fsproj|vbproj)$/.test(arg))
    const keys = [...programKeys(command), ...upwards(folder, CONFIGS), ...keysIn('file', folder, projects), ...namedFiles(folder, rest)]
    const checks = /^(?:test|build)$/.test(verb) || (verb === 'format' && hasOption(rest, ['--verify-no-changes']))
    return { verifies: checks && !hasOption(rest, IDLE), readsSources: checks || verb === 'run', delegates: false, keys: [...new Set(keys)] }
  },
  summary(output) {
    const lines = closing(output, 40)
    const all = output.split('\n')
    if (all.some((line) => FAILED.test(line))) return { passed: false }
    if (lines.some((line) => /^Test summary: total: [1-9]\d*, failed: 0, succeeded: [1-9]\d*, /.test(line))) return { passed: true }
    const projects = all.filter((line) => /^Test run for \S/.test(line)).length
    const passed = all.filter((line) => PASSED.test(line)).length
    // Each project closes with a line of its own: only where all that were begun are there does none fail.
    if (projects > 0 || passed > 0) return projects === passed && /^\s*Determining projects to restore|^ {2}\S.* -> \S/m.test(output) ? { passed: true } : null
    return lines.some((line) => /^Build succeeded(?:\.| in [\d.]+s)$/.test(line.trim())) && !all.some((line) => /^Starting test execution/.test(line)) ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n').filter((line) => line.length <= 1000)
    const tests = lines.flatMap((line, i) => {
      const name = /^ +(?:Failed|\[FAIL\]|failed) (\S.{0,300}?)(?: \[[^\]]{1,20}\]| \([\d.,]+ ?m?s\))?$/.exec(line)?.[1]
      if (name === undefined) return []
      const at = lines.slice(i + 1, i + 4).findIndex((one) => /^ +Error Message:$/.test(one))
      return [[name, ...(at === -1 ? [] : [(lines[i + 2 + at] ?? '').trim()])]]
    })
    const red = lasting(tests)
    if (red === 'transient') return red
    const errors = lines.flatMap((line) => /^ *(?:\S.{0,300}?\(\d+,\d+\): |\S.{0,300} : )?(error (?:CS|FS|BC|MSB|NETSDK)\d+: \S.{0,400}?)(?: \[[^\]]{1,300}\])?$/.exec(line)?.[1] ?? [])
    return failed(ending, 'red', [...errors, ...red])
  },
} satisfies Toolchain

const CONFIGS = ['global.json', 'Directory.Build.props', 'Directory.Packages.props', 'nuget.config', 'NuGet.Config']
const IDLE = ['--list-tests', '-t', '--help', '-h', '-?', '--no-build-output']
const PASSED = /^Passed! +- Failed: +0, Passed: +[1-9]\d*, /
const FAILED = /^(?:Failed! +- Failed: |Build FAILED\.$|Build failed with \d+ error|Test summary: total: \d+, failed: [1-9]|Test Run Failed\.$|Test Run Aborted\b)/
