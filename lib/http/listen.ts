import type { Server } from "node:http";
import { type AddressInfo, type Server as NetServer, BlockList, isIPv6 } from "node:net";
import { lookup } from "node:dns/promises";
import { readdir, readFile, readlink } from "node:fs/promises";
import { SiteError } from "#lib/errors";

/** Backlog of connections; capped by the system. */
const BACKLOG = 4_096;

/**
 * Listens on `port` (0: a free one) and resolves with the port.
 * @throws ERR_PORT_IN_USE.
 */
export async function listenOn(server: NetServer, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code !== "EADDRINUSE") reject(error);
      else portInUse(port, host).then(reject, reject);
    };
    server.once("error", onError);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off("error", onError);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  return address.port;
}

async function portInUse(port: number, host: string): Promise<SiteError> {
  const owner = await portOwner(port, host);
  const name = owner?.name ? ` (${owner.name})` : "";
  const who = owner === null ? "another process" : `process ${owner.pid}${name}`;
  return new SiteError("ERR_PORT_IN_USE", `port ${port} on ${host} is in use by ${who}`, {
    fix: "stop it, or choose another port with --port",
  });
}

/** Stops accepting, closes idle connections and waits up to `limitMs` for open requests. */
export async function drain(server: Server, limitMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    const end = setTimeout(() => server.closeAllConnections(), limitMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(end);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** A process that listens on a port. */
interface PortOwner {
  pid: number;
  /** The process name of the system; empty when unknown. */
  name: string;
}

/** State of a listening socket in `/proc/net/tcp`. */
const LISTEN = "0A";

/**
 * The process whose socket keeps others from listening on a TCP port of `host`, on Linux and as far as this
 * user may see; else null. Only for messages: it reads many files.
 */
export async function portOwner(
  port: number,
  host: string,
  proc = "/proc",
): Promise<PortOwner | null> {
  const isInWay = await sameAddress(host);
  const sockets = new Set<string>();
  for (const table of ["tcp", "tcp6"]) {
    for (const { address, inode } of listening(await read(`${proc}/net/${table}`), port)) {
      if (isInWay(address)) sockets.add(`socket:[${inode}]`);
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

/** Whether a socket on an address excludes another one on `host`: the same address, or all addresses. */
async function sameAddress(host: string): Promise<(address: string) => boolean> {
  const own = await lookup(host).catch(() => null);
  // A name that is unknown here: any listener on the port may be meant.
  if (own === null || isAll(own.address)) return () => true;
  const wanted = new BlockList();
  wanted.addAddress(own.address, own.family === 6 ? "ipv6" : "ipv4");
  return (address) => isAll(address) || wanted.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** True for the address that stands for all addresses: `0.0.0.0` or `::`, in any form. */
function isAll(address: string): boolean {
  return /^[0.:]+$/.test(address);
}

/** The sockets that listen on `port`: columns 2 (address), 4 (state) and 10 (inode). */
function listening(table: string, port: number): { address: string; inode: string }[] {
  return table.split("\n").flatMap((line) => {
    const columns = line.trim().split(/\s+/);
    const [address = "", hexPort = ""] = columns[1]?.split(":") ?? [];
    const inode = columns[9];
    if (columns[3] !== LISTEN || inode === undefined || parseInt(hexPort, 16) !== port) return [];
    return [{ address: toAddress(address), inode }];
  });
}

/** `0100007F` as `127.0.0.1`; of IPv6 four such words. Bytes are in the order of the machine, low first. */
function toAddress(hex: string): string {
  const words = hex.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => [...Buffer.from(word, "hex").reverse()]);
  if (bytes.length === 4) return bytes.join(".");
  const full = Buffer.from(bytes).toString("hex");
  return (full.match(/.{4}/g) ?? []).join(":");
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
