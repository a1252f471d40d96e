import { memoryStore } from '../../src/store/memory.ts'
import { keepsThePromise } from './store-suite.ts'

keepsThePromise('a store in memory', () => {
  const store = memoryStore()
  return { store, reopen: () => store }
})
