// What the built server uses, counted without a clock: `COUNTS=write npm test -- test/architecture/counts.test.ts` writes
// counts.json. A commit that changes these numbers by more than 5 % declares it by writing them.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { buildWhenStale } from "../../scripts/build.mjs";
import { useFolder } from "../support/folder.js";
import { startProcess, startServer } from "../support/processes/site-process.js";

const FILE = fileURLToPath(new URL("counts.json", import.meta.url));
/** Growth that is no change, in percent, and in bytes: what recurs may fall between two looks. */
const TOLERANCE = 5;
const SMALL = 50_000;
/** Without optimizing compilers and threads of its own, V8 allocates the same for the same work. */
const FLAGS = ["--no-opt", "--single-threaded"];
/** A process that allocates less than this between two looks has nothing left to do but what recurs, in bytes. */
const QUIET = 1_000_000;
/** Time between two looks, in ms: work in the background begins a second after the start. */
const LOOK_MS = 2_000;
/** Often enough that what recurs is a small part. */
const ROUNDS = 30;
/** Of these the middle one counts. */
const BATCHES = 3;
const ADDRESSES = [
  "/",
  "/blog",
  "/feed.xml",
  "/sitemap.xml",
  "/api/pages",
  "/api/pages?limit=2&fields=title",
  "/api/search?q=page",
  "/missing",
  "/about",
  "/health",
];

const usage = z.object({ allocated: z.number(), read: z.number() });
const counts = z.object({
  /** Major version of Node.js. */
  node: z.number(),
  /** Bytes of the start and of the first answers, until nothing is left to do. */
  start: usage,
  /** Bytes of thirty rounds of answers to ten addresses; `sent`: their bodies without compression. */
  answers: usage.extend({ sent: z.number() }),
});

describe("a new site", function () {
  this.timeout(240_000);
  const folder = useFolder();

  it(`starts and responds with at most ${TOLERANCE} % more than counts.json records`, async function () {
    const expected = counts.parse(JSON.parse(readFileSync(FILE, "utf8")));
    if (process.platform !== "linux" || nodeMajor() !== expected.node) this.skip();
    await buildWhenStale();
    const root = join(folder.path, "site");
    assert.equal(await startProcess(["new", root]).ended(), 0);
    await appendFile(join(root, "system.yaml"), "server: { rate_limit: false }\n");
    const counted = await count(root);
    if (process.env["COUNTS"] === "write") {
      writeFileSync(FILE, `${JSON.stringify(counted, null, 2)}\n`);
      return;
    }
    assert.deepEqual(differences(expected, counted), []);
  });
});

function nodeMajor(): number {
  return Number(process.versions.node.split(".")[0]);
}

/** Serves the site in production and counts. */
async function count(root: string): Promise<z.output<typeof counts>> {
  const preload = new URL("../support/processes/resource-counts.mjs", import.meta.url);
  const server = await startServer(root, {
    node: ["--import", preload.href, ...FLAGS],
    // The build is as the sources are; whether it is would be read from all of them.
    env: { SITE_ENV: "production", SITEWRIGHT_DIST: "current" },
    hasChannel: true,
  });
  const ask = async (): Promise<z.output<typeof usage>> => {
    server.child.send("count");
    return usage.parse((await once(server.child, "message"))[0]);
  };
  try {
    const start = { allocated: 0, read: 0 };
    /** Waits until nothing is left to do; resolves with what recurs, in bytes per ms. */
    const rest = async (): Promise<number> => {
      for (let from = performance.now(); ;) {
        await delay(LOOK_MS);
        const { allocated, read } = await ask();
        start.allocated += allocated;
        start.read += read;
        const now = performance.now();
        if (allocated < QUIET) return allocated / (now - from);
        from = now;
      }
    };
    await rest();
    // First answers may begin work in the background, such as placeholders of pictures.
    await answerAll(server.url);
    const recurring = await rest();
    await ask();
    const batches: z.output<typeof counts>["answers"][] = [];
    while (batches.length < BATCHES) {
      const from = performance.now();
      let sent = 0;
      for (let round = 0; round < ROUNDS; round += 1) sent += await answerAll(server.url);
      const { allocated, read } = await ask();
      const answered = Math.round(allocated - recurring * (performance.now() - from));
      batches.push({ allocated: answered, read, sent });
    }
    batches.sort((one, other) => one.allocated - other.allocated);
    const [, middle = assert.fail("no batch")] = batches;
    return { node: nodeMajor(), start, answers: middle };
  } finally {
    server.child.kill("SIGTERM");
    await server.ended();
  }
}

/** Asks for all addresses; resolves with the bytes of their bodies. */
async function answerAll(url: string): Promise<number> {
  let sent = 0;
  for (const address of ADDRESSES) {
    const answer = await fetch(url + address, { headers: { "Accept-Encoding": "identity" } });
    assert.equal(answer.status, address === "/missing" ? 404 : 200, address);
    sent += (await answer.arrayBuffer()).byteLength;
  }
  return sent;
}

/** The numbers that have grown by more than the tolerance, as sentences. */
function differences(
  { start, answers }: z.output<typeof counts>,
  counted: z.output<typeof counts>,
): string[] {
  const named = { start: [start, counted.start], answers: [answers, counted.answers] } as const;
  return Object.entries(named).flatMap(([part, [before, now]]) =>
    Object.entries(before).flatMap(([name, was]) => {
      const is = Number(Object.entries(now).find(([key]) => key === name)?.[1]);
      const percent = Math.round((is / was - 1) * 1_000) / 10;
      return percent <= TOLERANCE || (name !== "sent" && is - was < SMALL)
        ? []
        : [`${part}: ${name} is ${is} bytes, ${percent} % from ${was}: COUNTS=write`];
    }),
  );
}
