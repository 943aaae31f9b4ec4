// Writes accounts until it is killed; prints the acknowledged ones.
import { silentLog } from "#kernel";
import { LocalUserStore } from "../../../../plugins/users/engines/local.js";

const [folder = "", round = ""] = process.argv.slice(2);
const store = new LocalUserStore({ folder, log: silentLog, now: () => 1 });
process.stdout.write("ready\n");

for (let n = 0; n < 1_000; n += 1) {
  const id = `r${round}u${n}`;
  const times = { createdAt: 1, updatedAt: 1, lastSeenAt: 1 };
  await store.create({
    id,
    email: `${id}@example.org`,
    roles: [],
    provider: "github",
    providerId: id,
    linkedProviders: [],
    ...times,
  });
  process.stdout.write(`created ${id}\n`);
  const email = `new-${id}@example.org`;
  const name = "x".repeat(5_000);
  await store.update(id, (user) => ({ ...user, email, name, roles: ["member"] }));
  process.stdout.write(`updated ${id}\n`);
  if (n % 3 === 0) {
    await store.delete(id);
    process.stdout.write(`deleted ${id}\n`);
  }
}
