/** Files and folders: atomic writes, safe paths, locks among processes, watches, media types, SQLite. Runs in Node.js. */
export { FileLock } from "./file-lock.js";
export {
  PRIVATE_FILE,
  PRIVATE_FOLDER,
  atomicWrite,
  isTemporary,
  makeFolder,
  readSmallFile,
  realInside,
  safeJoin,
  syncFolder,
  temporaryBeside,
} from "./files.js";
export { FolderWatchers } from "./folder-watchers.js";
export { imageFormatOf, mediaTypeOf, registeredTypeOf } from "./media-type.js";
export { addName, moveFile } from "./move-file.js";
export { isAlive, ownIdentity, processShape } from "./process-identity.js";
export { ProcessLock, readHolder, type LockHolder } from "./process-lock.js";
export { sqliteOpener, type SqliteFile, type SqliteStatement } from "./sqlite.js";
export { syncFile, syncTree } from "./sync-tree.js";
