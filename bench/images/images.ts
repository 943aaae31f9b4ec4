/** New and cached variants, compared with ipx, bare sharp, `node:http` and `express.static`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "../../scripts/build.mjs";
import { limitMemory } from "./memory-limit.js";
import { photo } from "../support/photo.js";
import { recordResponses } from "../support/record-responses.js";
import { machine, median, short, table, writeSection } from "../support/report.js";
import { requestCost } from "../support/requests.js";
import { startServer, type ServerProcess } from "../support/server-process.js";

const ORIGINALS = Number(process.env["BENCH_ORIGINALS"] ?? 12);
/** Files per original: the CPU clock of a process ticks every 10 ms, so many are summed. */
const COPIES = 8;
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 5);
const SECONDS = 2;
const CONNECTIONS = 32;
// For bodies of megabytes; with more connections, the client would be the limit.
const FEW_CONNECTIONS = 8;
const LARGE_BYTES = 256 * 1024;
// The peers write no access log.
const QUIET = { BENCH_LOG_LEVEL: "warn" };
const MEGABYTE = 1024 * 1024;
/** Memory limit of a process with many simultaneous large images. */
const MEMORY = 512 * MEGABYTE;
const FORMATS = ["jpeg", "webp", "avif"] as const;

/** Bytes after the end of a JPEG make it another file with the same image. */
function copyOf(picture: Buffer, at: number): Buffer {
  return Buffer.concat([picture, Buffer.from([at])]);
}

async function writeSite(root: string): Promise<string> {
  const folder = join(root, "content", "01.home");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, "site.yaml"), "title: Bench\nurl: http://localhost:8000\n");
  writeFileSync(join(root, "system.yaml"), "images:\n  queue:\n    misses_per_minute: 100000\n");
  writeFileSync(join(folder, "default.md"), "# Home\n");
  for (let at = 0; at < ORIGINALS; at += 1) {
    const picture = await photo(4000, 3000, at + 1);
    for (let copy = 0; copy < COPIES; copy += 1) {
      writeFileSync(join(folder, `photo-${at * COPIES + copy}.jpg`), copyOf(picture, copy));
    }
  }
  return folder;
}

interface Timing {
  ms: number;
  cpu: number;
}
async function timed(server: ServerProcess, path: string): Promise<Timing> {
  const [cpu, started] = [server.cpu(), performance.now()];
  const answer = await fetch(server.url + path);
  const bytes = await answer.arrayBuffer();
  if (!answer.ok || bytes.byteLength === 0) throw new Error(`${path}: ${answer.status}`);
  return { ms: performance.now() - started, cpu: (server.cpu() - cpu) / 1000 };
}

async function measureFirst(
  servers: Record<"site" | "ipx" | "sharp", ServerProcess>,
): Promise<string[][]> {
  const rows: string[][] = [];
  for (const format of FORMATS) {
    const paths = {
      site: (name: string) => `/content-media/01.home/${name}?w=640&f=${format}`,
      ipx: (name: string) => `/w_640,f_${format},q_80/${name}`,
      sharp: (name: string) => `/${name}?w=640&f=${format}`,
    };
    const names = ["sharp", "site", "ipx"] as const;
    const ms = { site: new Array<number>(), ipx: new Array<number>(), sharp: new Array<number>() };
    const cpu = { site: 0, ipx: 0, sharp: 0 };
    for (let at = 0; at < ORIGINALS * COPIES; at += 1) {
      // Interleaved, so that no server is always the first to read a file.
      for (const name of [...names.slice(at % 3), ...names.slice(0, at % 3)]) {
        const timing = await timed(servers[name], paths[name](`photo-${at}.jpg`));
        // The first images of a process include loading sharp.
        if (at < 3) continue;
        ms[name].push(timing.ms);
        cpu[name] += timing.cpu / (ORIGINALS * COPIES - 3);
      }
    }
    const shown = (name: (typeof names)[number]): string =>
      `${short(median(ms[name]))} / ${short(cpu[name])}`;
    rows.push([
      format,
      shown("sharp"),
      shown("site"),
      shown("ipx"),
      `${short(median(ms.site) / median(ms.sharp))}× / ${short(cpu.site / cpu.sharp)}×`,
      `${short(median(ms.site) / median(ms.ipx))}× / ${short(cpu.site / cpu.ipx)}×`,
    ]);
    process.stdout.write(`first  ${rows.at(-1)?.join("  ")}\n`);
  }
  return rows;
}

async function measureCached(site: ServerProcess, root: string): Promise<string[][]> {
  const base = "/content-media/01.home/photo-0.jpg";
  const cached = {
    "variant, small (in memory)": `${base}?w=640&f=webp`,
    "variant, large": `${base}?w=1920&f=jpeg&q=95`,
    "original, large (streamed)": base,
  };
  const folder = join(root, "recorded");
  mkdirSync(folder);
  const paths = Object.values(cached);
  const answers = await recordResponses(site.url, paths);
  for (const [index, { body }] of answers.entries())
    writeFileSync(join(folder, `file-${index}`), body, "base64");
  const recorded = join(folder, "answers.json");
  writeFileSync(recorded, JSON.stringify(answers));
  const raw = await startServer(["bench/support/raw-server.mjs", recorded]);
  const files = await startServer(["bench/images/peer-server.mjs", "static", folder]);
  const rows: string[][] = [];
  for (const [index, [name, path]] of Object.entries(cached).entries()) {
    const size = (await (await fetch(site.url + path)).arrayBuffer()).byteLength;
    const connections = size > LARGE_BYTES ? FEW_CONNECTIONS : CONNECTIONS;
    const cost = async (server: ServerProcess, from: string): Promise<number> =>
      (await requestCost(server, { paths: [from], connections, seconds: SECONDS })).cpu;
    const cpu = { raw: new Array<number>(), site: new Array<number>(), files: new Array<number>() };
    for (let round = 0; round <= ROUNDS; round += 1) {
      const samples = {
        raw: await cost(raw, path),
        site: await cost(site, path),
        files: await cost(files, `/file-${index}`),
      };
      if (round === 0) continue;
      for (const key of ["raw", "site", "files"] as const) cpu[key].push(samples[key]);
    }
    const [floor, own, peer] = [median(cpu.raw), median(cpu.site), median(cpu.files)];
    rows.push([
      `${name}, ${short(size / 1024)} KB`,
      short(floor),
      `${Math.round((floor / own) * 100)} % (${short(own)})`,
      `${Math.round((floor / peer) * 100)} % (${short(peer)})`,
      `${short(peer / own)}×`,
    ]);
    process.stdout.write(`cached  ${rows.at(-1)?.join("  ")}\n`);
  }
  await raw.stop();
  await files.stop();
  return rows;
}

/** 64 originals of 24 megapixels requested at once from a process with little memory. */
async function measureMemory(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "site-bench-"));
  const folder = join(root, "content", "01.home");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, "site.yaml"), "title: Bench\nurl: http://localhost:8000\n");
  writeFileSync(join(folder, "default.md"), "# Home\n");
  const big = await photo(6000, 4000, 99);
  for (let at = 0; at < 64; at += 1) {
    writeFileSync(join(folder, `big-${at}.jpg`), copyOf(big, at));
  }
  const limit = limitMemory(MEMORY);
  const flags = ["--max-old-space-size=256", "bench/support/site-server.mjs", root];
  const site = await startServer(flags, QUIET, limit.launcher);
  const idle = site.rss();
  const peak = { rss: 0 };
  const watch = setInterval(() => (peak.rss = Math.max(peak.rss, site.rss())), 5);
  const started = performance.now();
  const statuses = await Promise.all(
    Array.from({ length: 64 }, async (_, at) => {
      const answer = await fetch(
        `${site.url}/content-media/01.home/big-${at}.jpg?w=1280&h=1280&f=webp`,
      );
      await answer.arrayBuffer();
      return answer.status;
    }),
  );
  clearInterval(watch);
  const seconds = (performance.now() - started) / 1000;
  await site.stop();
  rmSync(root, { recursive: true, force: true });
  const counts = [...new Set(statuses)].map(
    (status) => `${statuses.filter((one) => one === status).length}× ${status}`,
  );
  const charged = limit.peak();
  limit.end();
  const most =
    charged === null ? "" : `, ${short(charged / MEGABYTE)} MB charged at most with the page cache`;
  const text = `64 originals of 24 megapixels (${short(big.length / MEGABYTE)} MB each) at once, the heap limited to 256 MB and the process to ${MEMORY / MEGABYTE} MB by ${limit.how}: ${counts.join(", ")} in ${short(seconds)} s; resident memory ${short(idle)} MB idle, ${short(peak.rss)} MB at most${most}.`;
  process.stdout.write(`${text}\n`);
  return text;
}

async function main(): Promise<void> {
  await build();
  const root = mkdtempSync(join(tmpdir(), "site-bench-"));
  const folder = await writeSite(root);
  const site = await startServer(["bench/support/site-server.mjs", root], QUIET);
  const ipx = await startServer(["bench/images/peer-server.mjs", "ipx", folder]);
  const bare = await startServer(["bench/images/peer-server.mjs", "sharp", folder]);
  const first = await measureFirst({ site, ipx, sharp: bare });
  await ipx.stop();
  await bare.stop();
  const cached = await measureCached(site, root);
  await site.stop();
  rmSync(root, { recursive: true, force: true });
  const memory = await measureMemory();
  const firstHead = [
    "640 px as",
    "bare sharp, ms / CPU ms",
    "site",
    "ipx",
    "site : bare",
    "site : ipx",
  ];
  const cachedHead = [
    "cached",
    "node:http, µs",
    "site",
    "express.static",
    "faster than express.static",
  ];
  await writeSection(
    "images",
    `## Images\n\n${machine()}. ${ORIGINALS * COPIES - 3} JPEG originals of 12 megapixels, one request at a time, servers interleaved; medians of wall time and means of CPU time, with ratios of both. Bare sharp is a \`node:http\` server that reads, resizes and sends, with the same AVIF effort as the site; ipx uses the defaults of sharp.\n\n${table(firstHead, first)}\n\nCPU per request for a cached response, ${CONNECTIONS} connections (${FEW_CONNECTIONS} for large ones), medians of ${ROUNDS} interleaved rounds of ${SECONDS} s. \`node:http\` sends the same bytes and headers from memory. Access logs are off.\n\n${table(cachedHead, cached)}\n\n${memory}`,
  );
}

await main();
