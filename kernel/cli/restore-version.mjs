// Brings the former version back after an upgrade that failed or was killed. Works alone: the package
// beside it may be incomplete. plugins/upgrade/apply writes the journal; its format never changes, because
// the version that reads it may be another one.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  closeSync,
  fsyncSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const POLL_MS = 100;
const PATIENCE_MS = 60_000;
/** A process of another container counts as running for this time after it wrote its journal. */
const FOREIGN_MS = 15 * 60_000;
/** Programs that a killed upgrade has started may still write for a moment. */
const REMOVAL = { recursive: true, force: true, maxRetries: 9, retryDelay: 100 };
/** A lock without contents counts as taken for this time. */
const UNWRITTEN_MS = 2_000;

/**
 * Undoes the upgrade whose journal is in `state`, unless the process that upgrades runs and has not started this
 * one. Returns the versions; null when there was nothing to undo.
 */
export function undoInterrupted(state) {
  const journal = readJournal(state);
  if (journal === null || process.ppid === journal.owner.pid) return null;
  if (isRunning(journal.owner, state)) {
    throw new Error(
      `process ${journal.owner.pid} upgrades this installation: wait until it has ended`,
    );
  }
  return undoUpgrade(state);
}

/** Undoes the upgrade whose journal is in `state`; safe to repeat, and after a kill. */
export function undoUpgrade(state) {
  const release = lock(state);
  try {
    const journal = readJournal(state);
    if (journal === null) return null;
    restorePackage(state, journal);
    journal.files.forEach((file) => restoreFile(state, file));
    rmSync(journalFile(state), { force: true });
    sync(state);
    for (const name of ["new", "old", "files", "trash", "last.json"]) {
      rmSync(join(state, name), REMOVAL);
    }
    return { from: journal.from, to: journal.to };
  } finally {
    release();
  }
}

function restorePackage(state, { name, units }) {
  const folder = join(state, "..", name);
  const trash = join(state, "trash");
  rmSync(trash, REMOVAL);
  mkdirSync(trash, { recursive: true, mode: 0o700 });
  for (const { path, had } of units) {
    const live = join(folder, path);
    const old = join(state, "old", path);
    if (existsSync(old)) {
      if (existsSync(live)) renameSync(live, join(trash, path));
      renameSync(old, live);
      // It was put in place: the former version has no such file.
    } else if (!had && existsSync(live) && !existsSync(join(state, "new", path))) {
      renameSync(live, join(trash, path));
    }
  }
  sync(folder);
}

/** A missing copy: the file did not exist. */
function restoreFile(state, { path, copy }) {
  if (copy === null) {
    rmSync(path, { force: true });
    return;
  }
  const from = join(state, "files", copy);
  const temporary = `${path}.tmp-${process.pid}`;
  copyFileSync(from, temporary);
  sync(temporary);
  renameSync(temporary, path);
  sync(dirname(path));
}

function readJournal(state) {
  let text;
  try {
    text = readFileSync(journalFile(state), "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(
      `${journalFile(state)} is damaged: delete the folder node_modules and run npm ci`,
    );
  }
}

function journalFile(state) {
  return join(state, "journal.json");
}

/** One process undoes, others wait for it. */
function lock(state) {
  const file = join(state, "undo.lock");
  const end = Date.now() + PATIENCE_MS;
  mkdirSync(state, { recursive: true, mode: 0o700 });
  for (;;) {
    try {
      writeFileSync(file, JSON.stringify(ownIdentity()), { flag: "wx" });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    if (Date.now() > end) throw new Error(`another process undoes the upgrade: see ${file}`);
    if (!isLocked(file, state)) rmSync(file, { force: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
}

function isLocked(file, state) {
  try {
    return isRunning(JSON.parse(readFileSync(file, "utf8")), state);
  } catch {
    // Just created and not yet written, or released by now.
    const found = statSync(file, { throwIfNoEntry: false });
    return found !== undefined && Date.now() - found.mtimeMs < UNWRITTEN_MS;
  }
}

function ownIdentity() {
  const { pid } = process;
  return { pid, boot: bootId(), namespace: namespace(), started: startOf(pid) };
}

function isRunning({ pid, boot, namespace: space, started }, state) {
  if (boot !== bootId()) return false;
  if (space !== namespace()) {
    const found = statSync(journalFile(state), { throwIfNoEntry: false });
    return found !== undefined && Date.now() - found.mtimeMs < FOREIGN_MS;
  }
  if (started !== null) return startOf(pid) === started;
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

function bootId() {
  return readOrNull("/proc/sys/kernel/random/boot_id")?.trim() ?? null;
}

/** Field 22 of `/proc/{pid}/stat`; field 2, the name, may contain spaces and brackets. */
function startOf(pid) {
  const text = readOrNull(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

function namespace() {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return null;
  }
}

function readOrNull(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

function sync(path) {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } catch {
    // File systems that cannot do it for folders.
  } finally {
    closeSync(handle);
  }
}

// `node restore-version.mjs <state>`: the process that upgrades undoes its own work.
if (realpathSync(process.argv[1] ?? ".") === fileURLToPath(import.meta.url)) {
  undoUpgrade(process.argv[2] ?? "");
}
