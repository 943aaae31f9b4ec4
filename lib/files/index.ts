/** Files and folders: atomic writes, safe paths, steps of several files, locks among processes, watches, media types, SQLite. Runs in Node.js. */
export { FileLock } from "./file-lock.js";
export {
  type AbandonedStep,
  atEndOfStep,
  boundToStep,
  type FileChange,
  FileSteps,
  isInStep,
  type RecordOptions,
  recordInStep,
} from "./file-steps.js";
export {
  addName,
  atomicWrite,
  containsPath,
  isAbsent,
  isSystemFolder,
  isTemporary,
  makeFolder,
  moveFile,
  namesIn,
  overlaps,
  PRIVATE_FILE,
  PRIVATE_FOLDER,
  readSmallFile,
  realInside,
  safeJoin,
  syncFile,
  syncFolder,
  syncTree,
  temporaryBeside,
} from "./files.js";
export { FolderWatchers } from "./folder-watchers.js";
export { imageFormatOf, mediaTypeOf, registeredTypeOf } from "./media-type.js";
export {
  isAlive,
  type LockHolder,
  lockRoot,
  ownIdentity,
  ProcessLock,
  processShape,
  readHolder,
  rootHolder,
  SERVER_LOCK,
} from "./process-lock.js";
export type { FileStepsOptions, RecoveredStep } from "./step-journal.js";
export { sweepTemporaries, type SweepOptions } from "./sweep-temporaries.js";
export { sqliteOpener, type SqliteFile, type SqliteStatement } from "./sqlite.js";
