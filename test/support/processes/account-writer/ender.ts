// Reports deleted users one after the other until it is killed: `ender.ts <folder> <prefix> <count>`.
import { silentLog } from "#kernel";
import { AuthzFront, TupleSignature } from "../../../../plugins/users/authz-front.js";
import { LocalAuthzStore } from "../../../../plugins/users/engines/authz-local.js";

const [folder = "", prefix = "", count = "0"] = process.argv.slice(2);
const store = new LocalAuthzStore({ folder, log: silentLog, now: () => 1 });
const signature = new TupleSignature(undefined);
const authz = new AuthzFront({ store: () => store, signature, log: silentLog });
process.stdout.write("ready\n");
for (let at = 0; at < Number(count); at += 1) {
  await authz.endUser(`${prefix}${at}`, 1_000);
  process.stdout.write(`${at}\n`);
}
