/** The file system outside any repository's meaning. Paths are absolute. */
export interface Files {
  /** null: there is no such file. Throws RemnantError for what can't be read. */
  read(path: string): Uint8Array | null
  /** Neighbour, fsync, rename: the old content or the new. Makes missing folders. Throws `unwritable`. */
  write(path: string, content: string | Uint8Array, mode?: number): void
  /** One durable append of whole lines; the file is made with mode 0600. */
  append(path: string, text: string): void
  remove(path: string): void
  /** Names in a folder, sorted; empty where there is none. */
  list(path: string): readonly { readonly name: string; readonly kind: 'file' | 'folder' | 'other' }[]
  stat(path: string): { readonly kind: 'file' | 'folder' | 'other'; readonly size: number; readonly mode: number; readonly changed: number } | null
  /** The bytes of a file in chunks. Throws `malformed` where it can't be opened. */
  stream(path: string): AsyncIterable<Uint8Array>
}
