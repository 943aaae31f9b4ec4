/** Shell blocks of the documentation, run as a reader would: in order, page by page, in a folder of the page. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Block } from "./documentation.js";
import { home } from "./home.js";

/** What a block did. */
export interface BlockRun {
  code: number | null;
  output: string;
  /** Statuses of the responses to its `curl` commands. */
  statuses: number[];
}

const SERVER = /^(?:SITE_\w+=\S+ )*(?:npx sitewright|site) (?:serve|dev)\b/;

/**
 * Runs blocks one after the other in a shell: commands that serve run in the background until the next one, on
 * `port` instead of 8000 and 8001. `site` and `npx sitewright` are the installed command.
 */
export async function runBlocks(
  blocks: readonly Block[],
  options: { folder: string; port: number },
): Promise<BlockRun[]> {
  await mkdir(options.folder, { recursive: true });
  const script = [PRELUDE, ...blocks.map((block) => scriptOf(block, options.port)), "stop"];
  const child = spawn("bash", ["-c", script.join("\n")], {
    cwd: options.folder,
    env: {
      ...process.env,
      NODE_OPTIONS: "",
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

/** A function for each command that must not be taken as it stands. */
const PRELUDE = `
exec 2>&1
server=
stop() { if [ -n "$server" ]; then kill "$server"; wait "$server" 2>/dev/null; fi; server=; }
trap stop EXIT
serve() {
  stop
  "$@" --port "$PORT" >server.log 2>&1 & server=$!
  for _ in $(seq 150); do
    if grep -q 'ready after' server.log; then return 0; fi
    if ! kill -0 "$server" 2>/dev/null; then cat server.log; return 1; fi
    sleep 0.2
  done
  cat server.log; return 1
}
npx() { if [ "$1" = sitewright ]; then shift; site "$@"; else command npx "$@"; fi; }
curl() { command curl --silent --max-time 30 --write-out '\\n@@status %{http_code}\\n' "$@"; }
`;

function scriptOf(block: Block, port: number): string {
  const lines = block.text.replace(/localhost:800[01]/g, `127.0.0.1:${port}`).split("\n");
  const commands = lines.map((line) =>
    SERVER.test(line)
      ? `serve ${line.replace(/ --port \d+/, "").replace(/^npx sitewright/, "site")}`
      : line,
  );
  // A reader takes a while from one block to the next.
  const body = ["sleep 2", "failed=0", "trap 'failed=1' ERR", ...commands, "trap - ERR"];
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
