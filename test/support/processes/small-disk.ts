// Processes on a small disk of their own; needs user namespaces: Linux, and permission to create them.
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";

/** True where a process may mount its own disks. */
export const canMount =
  spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;

/** A prefix to node: runs a shell command in its own mount namespace, which replaces itself by node. */
export const IN_OWN_MOUNTS = ["unshare", "-rm", "sh", "-c"];

/**
 * Source of a plugin that fills and frees the disk from inside, because only this process sees its files:
 * `/fill` responds with the code of the error, also when called again because something was deleted since;
 * `/free` deletes `file`, relative to the site.
 */
export const fillerPlugin = (file: string): string => `
import { openSync, writeSync, closeSync, rmSync } from "node:fs";
import { join } from "node:path";
export default {
  name: "filler", version: "1.0.0",
  setup(site) {
    const file = join(site.paths.root, ${JSON.stringify(file)});
    site.http.use("pages", (req, res, next) => {
      if (req.ctx.path === "/free") { rmSync(file); return void res.end("free"); }
      if (req.ctx.path !== "/fill") return next();
      const fd = openSync(file, "a");
      try { for (;;) writeSync(fd, Buffer.alloc(512)); } catch (error) { res.end(error.code); }
      finally { closeSync(fd); }
    });
  },
};
`;

/** Runs a program in its own mount namespace; resolves with the last line of its output, which is JSON. */
export async function reportOf(script: string, folder: string): Promise<unknown> {
  const flags = ["--import=tsx", "--conditions=source"];
  const command = ["-rm", process.execPath, ...flags, script, folder];
  const { stdout } = await promisify(execFile)("unshare", command);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}
