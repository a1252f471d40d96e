import type { Toolchain } from './model/toolchain.ts'
import biome from './signatures/biome.ts'
import cargo from './signatures/cargo.ts'
import cmake from './signatures/cmake.ts'
import eslint from './signatures/eslint.ts'
import gccClang from './signatures/gcc-clang.ts'
import git from './signatures/git.ts'
import go from './signatures/go.ts'
import gradle from './signatures/gradle.ts'
import jest from './signatures/jest.ts'
import make from './signatures/make.ts'
import maven from './signatures/maven.ts'
import mise from './signatures/mise.ts'
import mocha from './signatures/mocha.ts'
import mypy from './signatures/mypy.ts'
import nodeTest from './signatures/node-test.ts'
import node from './signatures/node.ts'
import packageScripts from './signatures/package-scripts.ts'
import pip from './signatures/pip.ts'
import prettier from './signatures/prettier.ts'
import pytest from './signatures/pytest.ts'
import python from './signatures/python.ts'
import ruff from './signatures/ruff.ts'
import rustc from './signatures/rustc.ts'
import shell from './signatures/shell.ts'
import typescript from './signatures/typescript.ts'
import unittest from './signatures/unittest.ts'
import vitest from './signatures/vitest.ts'

/** One toolchain's failures and summaries a file: those that end a chain first, those that hand over after them, the fallback last. */
export const toolchains: readonly Toolchain[] = [
  jest, vitest, mocha, nodeTest, typescript, eslint, prettier, biome, pytest, unittest, mypy, ruff, python, cargo, rustc, go,
  gccClang, maven, gradle, cmake, pip, packageScripts, make, mise, git, node, shell,
]
