// Makes one step of several changes, and kills itself at its n-th call that changes a file:
// killed-step.ts <root> <n>; `late`: before its last change. Prints the number of calls when it lives.
import fs from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { atomicWrite, FileSteps, recordInStep } from "#lib/files";

const [root = "", limit = "0"] = process.argv.slice(2);
const names = ["open", "rename", "rm", "rmdir", "mkdir", "link", "utimes", "unlink"];
let calls = 0;

function wrap(owner: object, name: string): void {
  const real: unknown = Reflect.get(owner, name);
  if (typeof real !== "function") return;
  Reflect.set(owner, name, function (this: unknown, ...args: unknown[]): unknown {
    calls += 1;
    if (calls === Number(limit)) process.kill(process.pid, "SIGKILL");
    return Reflect.apply(real, this, args);
  });
}

for (const name of names) {
  wrap(promises, name);
  wrap(fs, name);
  wrap(fs, `${name}Sync`);
}
const handle = await promises.open(process.execPath, "r");
const prototype: object = Object.getPrototypeOf(handle);
await handle.close();
for (const name of ["writeFile", "sync", "close"]) wrap(prototype, name);
syncBuiltinESMExports();
calls = 0;

const at = (path: string): string => join(root, path);
const steps = new FileSteps({ folder: at("steps"), root, top: at("content"), origin: "root" });
await steps.run("change", async () => {
  const written = at("content/b/x.md");
  const created = at("content/new/deep/y.md");
  const again = at("content/a.md");
  await recordInStep(
    [
      { op: "move", path: at("content/a"), to: at("content/b") },
      { op: "write", path: written, bytes: "new x" },
      { op: "remove", path: at("content/gone.md") },
      { op: "write", path: created, bytes: "new y" },
      { op: "move", path: at("content/a.md"), to: at("content/moved/a.md") },
      { op: "write", path: again, bytes: "again" },
    ],
    { isWhole: true },
  );
  await promises.rename(at("content/a"), at("content/b"));
  await atomicWrite(written, "new x", { access: "shared" });
  await promises.rm(at("content/gone.md"));
  await atomicWrite(created, "new y", { access: "shared" });
  await promises.mkdir(at("content/moved"), { recursive: true });
  await promises.rename(at("content/a.md"), at("content/moved/a.md"));
  if (limit === "late") process.kill(process.pid, "SIGKILL");
  await atomicWrite(again, "again", { access: "shared" });
});
fs.writeSync(1, String(calls));
process.exit(0);
