/** Resolves a branch or tag of a repository to its commit with git. */
import { execFile } from "node:child_process";
import { packagesError } from "./errors.js";

const LIMIT_MS = 60_000;
/** Protocols without a helper program: an address must not run one (`ext::`). */
const ALLOWED = [
  "-c",
  "protocol.allow=never",
  "-c",
  "protocol.https.allow=always",
  "-c",
  "protocol.ssh.allow=always",
  "-c",
  "protocol.file.allow=always",
];

/**
 * The commit of a branch, a tag or, without `ref`, of HEAD. `url` starts with `git+`.
 * @throws ERR_PACKAGE_GIT.
 */
export async function commitOf(url: string, ref: string): Promise<string> {
  const wanted = ref === "" ? "HEAD" : ref;
  const text = await listRemote(url, wanted);
  const found = new Map(
    text.split("\n").map((line) => {
      const [commit = "", name = ""] = line.split("\t");
      return [name, commit];
    }),
  );
  // The precedence of git between tags and branches; `^{}` is the commit of an annotated tag.
  const names = [`refs/tags/${wanted}^{}`, `refs/tags/${wanted}`, `refs/heads/${wanted}`, wanted];
  const commit = names.map((name) => found.get(name)).find((one) => one !== undefined);
  if (commit !== undefined) return commit;
  throw packagesError(
    "ERR_PACKAGE_GIT",
    `${url} has no branch or tag ${JSON.stringify(wanted.slice(0, 120))}`,
    "use a branch, a tag or all 40 digits of a commit",
  );
}

function listRemote(url: string, ref: string): Promise<string> {
  const args = [...ALLOWED, "ls-remote", "--", url.slice("git+".length), ref, `${ref}^{}`];
  return new Promise((resolve, reject) => {
    execFile("git", args, { timeout: LIMIT_MS }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(gitFailure(url, error, stderr));
    });
  });
}

function gitFailure(url: string, error: Error & { code?: unknown }, stderr: string) {
  if (error.code === "ENOENT") {
    return packagesError("ERR_PACKAGE_GIT", "git is not installed", "install git");
  }
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const line = lines.find((one) => one.startsWith("fatal:")) ?? lines.at(-1) ?? "no output";
  const message = `git ls-remote ${url} failed: ${line.replace("fatal: ", "")}`;
  return packagesError(
    "ERR_PACKAGE_GIT",
    message,
    "correct the address, or set up git credentials for it",
  );
}
