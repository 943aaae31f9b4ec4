import { readdir, readFile, readlink } from "node:fs/promises";

/** A process that listens on a port. */
export interface PortOwner {
  pid: number;
  /** The process name of the system; empty when unknown. */
  name: string;
}

/** State of a listening socket in `/proc/net/tcp`. */
const LISTEN = "0A";

/**
 * The process that listens on a TCP port, on Linux and as far as this user may see; else null. Only for
 * messages: it reads many files.
 */
export async function portOwner(port: number, proc = "/proc"): Promise<PortOwner | null> {
  const sockets = new Set<string>();
  for (const table of ["tcp", "tcp6"]) {
    for (const inode of listening(await read(`${proc}/net/${table}`), port)) {
      sockets.add(`socket:[${inode}]`);
    }
  }
  if (sockets.size === 0) return null;
  for (const pid of (await list(proc)).filter((name) => /^\d+$/.test(name))) {
    if (await holdsOne(`${proc}/${pid}/fd`, sockets)) {
      return { pid: Number(pid), name: (await read(`${proc}/${pid}/comm`)).trim() };
    }
  }
  return null;
}

/** Inodes of the sockets that listen on `port`: columns 2 (address), 4 (state) and 10 (inode). */
function listening(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return table.split("\n").flatMap((line) => {
    const columns = line.trim().split(/\s+/);
    const isIt = columns[1]?.endsWith(suffix) === true && columns[3] === LISTEN;
    return isIt && columns[9] !== undefined ? [columns[9]] : [];
  });
}

async function holdsOne(folder: string, sockets: ReadonlySet<string>): Promise<boolean> {
  for (const name of await list(folder)) {
    const target = await readlink(`${folder}/${name}`).catch(() => "");
    if (sockets.has(target)) return true;
  }
  return false;
}

function read(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}

function list(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
