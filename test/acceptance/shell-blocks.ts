/** Shell blocks of the documentation, run as a reader would: in order, page by page, in a folder of the page. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { isShell, type Block } from "./documentation.js";
import { home } from "./home.js";

/** What a block did. */
interface BlockRun {
  code: number | null;
  output: string;
  /** Statuses of the responses to its `curl` commands. */
  statuses: number[];
}

const SERVER = /^(?:SITE_\w+=\S+ )*(?:npx sitewright|site) (?:serve|dev)\b/;

/** Commands that change nothing that the next block asks for. */
const ASKS_ONLY = /^(?:#|curl(?! -X)|site (?:search|content:check)|$)/;

/** Where and how blocks run. */
interface BlockOptions {
  folder: string;
  /** Of a server that runs; by default a free one for their own. */
  port?: number;
  /** Commands before the first block. */
  before?: string | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  /** Folder of the files that blocks with a title show, below `folder`. Default: `folder`. */
  site?: string | undefined;
}

/** Mistakes and missing translations are the subject of these blocks. */
const FAILING = /tilte|^site i18n:status$/m;
const isMistake = ({ text }: Block): boolean => /limit=(?:lots|0)\b/.test(text);

/** Fails unless the commands of all blocks succeed. */
export async function checkBlocks(blocks: readonly Block[], options: BlockOptions): Promise<void> {
  const runs = await runBlocks(blocks, { ...options, port: options.port ?? (await freePort()) });
  for (const [index, block] of blocks.entries()) {
    const run = runs[index];
    const place = `${block.page}:${block.line}\n${block.text}\n${run?.output}`;
    assert.equal(run?.code, FAILING.test(block.text) ? 1 : 0, place);
    const wrong = run.statuses.filter(
      (status) => status >= 400 && !(status === 400 && isMistake(block)),
    );
    assert.deepEqual(wrong, [], place);
    // Pages about a site that only some readers have show what theirs prints.
    if (options.site !== undefined && isShell(block))
      assert.ok(isPrinted(block.output, run.output), `${place}\nexpected\n${block.output}`);
  }
}

/** True when the output has what a page shows, whatever its spaces are. */
function isPrinted(shown: string, output: string): boolean {
  return output.replaceAll(/\s/g, "").includes(shown.replaceAll(/\s/g, ""));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/**
 * Runs blocks one after the other in a shell: commands that serve run in the background until the next one, on
 * `port` instead of 8000 and 8001. `site` and `npx sitewright` are the installed command.
 */
async function runBlocks(
  blocks: readonly Block[],
  options: BlockOptions & { port: number },
): Promise<BlockRun[]> {
  await mkdir(options.folder, { recursive: true });
  const { before = "", port, site = "." } = options;
  const script = [PRELUDE, before, ...blocks.map((block) => scriptOf(block, port, site)), "stop"];
  const child = spawn("bash", ["-c", script.join("\n")], {
    cwd: options.folder,
    env: {
      ...process.env,
      ...options.env,
      NODE_OPTIONS: "",
      GIT_AUTHOR_NAME: "Ada",
      GIT_AUTHOR_EMAIL: "ada@example.org",
      GIT_COMMITTER_NAME: "Ada",
      GIT_COMMITTER_EMAIL: "ada@example.org",
      PORT: String(options.port),
      PATH: `${join(home, "node_modules", ".bin")}:${process.env["PATH"]}`,
    },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 120_000,
  });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  await once(child, "close");
  const [, ...runs] = chunks.join("").split("@@block\n");
  return blocks.map((_block, index) => readRun(runs[index] ?? ""));
}

/**
 * Writes the file that a block shows, below `site`: a script. A second block about a configuration file is added at its
 * end, as its page says.
 */
function fileScript({ title, text }: Block, site: string): string {
  const path = `${site}/${title}`;
  const end = "@@end-of-file";
  return [
    `mkdir -p "$(dirname '${path}')"`,
    `${/^\w+\.yaml$/.test(title) ? "cat >>" : "cat >"} '${path}' <<'${end}'`,
    `${text.trimEnd()}\n${end}`,
  ].join("\n");
}

/** A function for each command that must not be taken as it stands. */
const PRELUDE = `
exec 2>&1
server=
stop() { if [ -n "$server" ]; then kill "$server"; wait "$server" 2>/dev/null; fi; server=; }
trap stop EXIT
serve() {
  stop
  "$@" --port "$PORT" >server.log 2>&1 & server=$!
  for _ in $(seq 300); do
    if command curl --silent --fail "http://127.0.0.1:$PORT/health/ready" >ready.log; then return 0; fi
    if ! kill -0 "$server" 2>/dev/null; then cat server.log; return 1; fi
    sleep 0.2
  done
  cat server.log; return 1
}
npx() { if [ "$1" = sitewright ]; then shift; site "$@"; else command npx "$@"; fi; }
curl() { command curl --silent --max-time 30 --write-out '%{stderr}\\n@@status %{http_code}\\n' "$@"; }
`;

function scriptOf(block: Block, port: number, site: string): string {
  if (block.title !== "" && !isShell(block))
    return `echo '@@block'\nfailed=0\ntrap 'failed=1' ERR\n${fileScript(block, site)}\ntrap - ERR\necho "@@exit $failed"`;
  const lines = block.text.replace(/localhost:800[01]/g, `127.0.0.1:${port}`).split("\n");
  const commands = lines.map((line) =>
    SERVER.test(line)
      ? `serve env ${line.replace(/ --port \d+/, "").replace("npx sitewright", "site")}`
      : line,
  );
  // Changes of files are seen a moment later.
  const pause = lines.every((line) => ASKS_ONLY.test(line)) ? [] : ["sleep 2"];
  const body = ["failed=0", "trap 'failed=1' ERR", ...commands, "trap - ERR", ...pause];
  return `echo '@@block'\n${body.join("\n")}\necho "@@exit $failed"`;
}

function readRun(text: string): BlockRun {
  const exit = /@@exit (\d+)/.exec(text)?.[1];
  return {
    code: exit === undefined ? null : Number(exit),
    output: text.replace(/\n?@@(?:status|exit) \d+\n/g, "\n"),
    statuses: [...text.matchAll(/@@status (\d+)/g)].map(([, status]) => Number(status)),
  };
}
