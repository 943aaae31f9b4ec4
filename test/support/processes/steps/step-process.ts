// A process that makes one change, copies its root before each call that changes a file, and kills itself:
// step-process.ts <root> <folder of copies> <operation>. With a number, it kills itself at that call instead.
import { writeSync } from "node:fs";
import { bootRoot, OPERATIONS } from "./operations.js";
import { Snapshots } from "./snapshots.js";

const [root = "", copies = "", name = ""] = process.argv.slice(2);
const operation = OPERATIONS[name];
if (operation === undefined) throw new Error(`no operation ${name}`);
const { site, client } = await bootRoot(root);
const prepared = (await operation.prepare?.(client)) ?? "";
await site.site.use("history").settled();
const snapshots = new Snapshots(root, copies);
await snapshots.install();
const status = await operation.send(site, client, prepared);
snapshots.take();
writeSync(1, JSON.stringify({ status, prepared, count: snapshots.count }));
process.kill(process.pid, "SIGKILL");
