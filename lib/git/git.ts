/** Git in a folder: runs the binary. */
import { spawn } from "node:child_process";

const MAX_MS = 60_000;

/** Settings of all commands of one repository. */
export interface GitOptions {
  /** Settings for every command: `core.hooksPath=/dev/null`. */
  readonly config?: readonly string[];
  /** The environment; default: that of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Removes secrets from error messages. */
  readonly redact?: (text: string) => string;
  /** Ends running commands when aborted. */
  readonly signal?: AbortSignal;
}
/** Options of one command. */
export interface GitRun {
  readonly input?: Buffer | string;
  /** Variables beside those of the repository. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: one minute. */
  readonly timeoutMs?: number;
  /** Exit codes that are no error, beside 0. */
  readonly codes?: readonly number[];
  /** Maximum bytes of the output: a command with more is ended, and fails. */
  readonly maxBytes?: number;
}

/** Git in one folder. */
export class Git {
  /** The absolute path in which commands run. */
  readonly root: string;
  readonly #options: GitOptions;

  constructor(root: string, options: GitOptions = {}) {
    this.root = root;
    this.#options = options;
  }

  /** The output of a command. @throws Error with git's first message when it fails. */
  async run(args: readonly string[], input: Buffer | string = ""): Promise<string> {
    return (await this.read(args, { input })).toString();
  }

  /** The output of a command, as bytes. @throws Error with git's first message when it fails. */
  read(args: readonly string[], run: GitRun = {}): Promise<Buffer> {
    const { input = "", timeoutMs = MAX_MS, codes = [], maxBytes = Infinity } = run;
    const { redact = (text) => text } = this.#options;
    const name = args[0] ?? "";
    return new Promise((resolve, reject) => {
      // The timer of spawn's `timeout` stays when git cannot be started, and keeps the process alive.
      const limit = AbortSignal.timeout(timeoutMs);
      const child = this.#spawn(args, limit, run.env);
      const [out, complaints]: [Buffer[], Buffer[]] = [[], []];
      let bytes = 0;
      child.stdout.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= maxBytes) return void out.push(chunk);
        child.kill();
        return reject(new Error(`git ${name} writes more than ${maxBytes} bytes`));
      });
      child.stderr.on("data", (chunk: Buffer) => complaints.push(chunk));
      child.once("error", (error) => {
        const took = `git ${name} took longer than ${timeoutMs / 1000} s`;
        reject(limit.aborted ? new Error(took) : error);
      });
      child.once("close", (code) => {
        if (code === 0 || codes.includes(code ?? -1)) return resolve(Buffer.concat(out));
        const said = redact(firstComplaint(Buffer.concat(complaints).toString()));
        return reject(new Error(said === "" ? `git ${name} ended with ${code}` : said));
      });
      // Git closes its input when it exits early; the exit code has the reason.
      child.stdin.on("error", () => undefined);
      child.stdin.end(input);
    });
  }

  #spawn(args: readonly string[], limit: AbortSignal, added: GitRun["env"]) {
    const { config = [], env, signal } = this.#options;
    const settings = ["core.quotePath=false", ...config].flatMap((setting) => ["-c", setting]);
    return spawn("git", [...settings, ...args], {
      cwd: this.root,
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      env: { ...(env ?? process.env), ...added },
    });
  }
}

/** The error message; warnings and progress may come before it. */
function firstComplaint(text: string): string {
  const lines = text.trim().split("\n");
  return lines.find((line) => /^(?:fatal|error): /.test(line)) ?? lines[0] ?? "";
}
