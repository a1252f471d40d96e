import { describe, expect, it } from 'vitest'
import dotnet from '../../src/signatures/dotnet.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

describe("dotnet", () => {
  it.each(["dotnet test", "dotnet build App.sln", "dotnet format --verify-no-changes"])('knows its own commands, alone: %s', (line) => {
    expect(knowing(line)).toEqual(["dotnet"])
  })

  it.each<[string, boolean]>([
    ["dotnet test", true],
    ["dotnet build -c Release", true],
    ["dotnet format", false],
    ["dotnet test --list-tests", false],
    ["dotnet run", false],
    ["dotnet --version", true],
  ])('verifies with %s: %s', (line, verifies) => {
    expect(dotnet.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('rests on what configures it, up to the root', () => {
    expect(dotnet.knows(typed("dotnet test App.sln", 'p'))?.keys).toEqual(expect.arrayContaining(["tool:p/dotnet", "file:p/global.json", "file:Directory.Build.props", "file:p/App.sln"]))
  })

  it.each<[string, string, { passed: boolean } | null]>([
    ["passed", "  Determining projects to restore...\n  App.Tests -> /w/bin/App.Tests.dll\nTest run for /w/bin/App.Tests.dll (.NETCoreApp,Version=v8.0)\nStarting test execution, please wait...\nPassed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12, Duration: 45 ms - App.Tests.dll (net8.0)\n", { passed: true }],
    ["failed", "  Determining projects to restore...\n  App.Tests -> /w/bin/App.Tests.dll\nTest run for /w/bin/App.Tests.dll (.NETCoreApp,Version=v8.0)\nStarting test execution, please wait...\nFailed!  - Failed:     1, Passed:    11, Skipped:     0, Total:    12, Duration: 45 ms - App.Tests.dll (net8.0)\n", { passed: false }],
    ["one of two projects", "  Determining projects to restore...\n  App.Tests -> /w/bin/App.Tests.dll\nTest run for /w/bin/App.Tests.dll (.NETCoreApp,Version=v8.0)\nStarting test execution, please wait...\nTest run for /w/bin/B.dll (.NETCoreApp,Version=v8.0)\nPassed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12, Duration: 45 ms - App.Tests.dll (net8.0)\n", null],
    ["the end of a run alone", "Passed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12, Duration: 45 ms - App.Tests.dll (net8.0)\n", null],
    ["passed, all in one line", "Test summary: total: 12, failed: 0, succeeded: 12, skipped: 0, duration: 1.2s\nBuild succeeded in 3.4s\n", { passed: true }],
    ["failed, all in one line", "Test summary: total: 12, failed: 1, succeeded: 11, skipped: 0, duration: 1.2s\nBuild failed with 1 error(s) in 3.4s\n", { passed: false }],
    ["built", "Build succeeded.\n    0 Warning(s)\n    0 Error(s)\n\nTime Elapsed 00:00:01.23\n", { passed: true }],
    ["not built", "Build FAILED.\n\nA.cs(3,5): error CS1002: ; expected [/w/A.csproj]\n    0 Warning(s)\n    1 Error(s)\n", { passed: false }],
  ])('closes: %s', (_, output, summary) => {
    expect(dotnet.summary(output)).toEqual(summary)
  })

  it.each<[string, string, string[]]>([
    ["dotnet build", "/w/A.cs(3,5): error CS1002: ; expected [/w/A.csproj]\n\nBuild FAILED.\n\n/w/A.cs(3,5): error CS1002: ; expected [/w/A.csproj]\n    1 Error(s)\n", ["error CS1002: ; expected"]],
    ["dotnet test", "  Failed App.CartTests.Adds [12 ms]\n  Error Message:\n   Assert.Equal() Failure: Values differ\n", ["App.CartTests.Adds", "Assert.Equal() Failure: Values differ"]],
  ])('says what failed, without its place: %s', (line, output, lines) => {
    expect(failureOf(dotnet, line, output)).toEqual({ class: 'red', lines, keys: [] })
  })

  it('finds nothing in other words', () => {
    expect(dotnet.failure(ended('npm test', 'HTTP 404 not found\nat 10:12: READY now\n'))).toBeNull()
    expect(dotnet.summary('HTTP 404 not found\nat 10:12: READY now\n')).toBeNull()
  })
})
