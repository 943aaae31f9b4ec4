import assert from "node:assert/strict";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isTemporary } from "#lib/files";
import { silentLog } from "#kernel";
import { FileStore } from "../../../plugins/records/engines/file-store.js";
import { LocalSessionStore } from "../../../plugins/session/engines/local.js";
import type { Tuple, User } from "../../../plugins/users/contract.js";
import { LocalAuthzStore } from "../../../plugins/users/engines/authz-local.js";
import { LocalUserStore } from "../../../plugins/users/engines/local.js";
import type { DeliveryRecord } from "../../../plugins/webhooks/contract.js";
import { DeliveryLog } from "../../../plugins/webhooks/delivery-log.js";
import { FailingDisk, type Fault } from "../../support/hostile/failing-disk.js";
import { useFolder } from "../../support/folder.js";

const CODES = ["ENOSPC", "EIO", "EACCES", "EROFS", "EMFILE"] as const;
const DELIVERY = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

/** A step that is acknowledged when it resolves, and how its effect is read. */
interface Step {
  readonly name: string;
  run(): Promise<unknown>;
}
/** A store on the disk: steps, and its content as one text. It is reopened for each read. */
interface Subject {
  readonly name: string;
  prepare(): Promise<void>;
  readonly steps: readonly Step[];
  look(): Promise<string>;
}

describe("records on a disk that fails", () => {
  const folder = useFolder();
  let disk: FailingDisk;
  beforeEach(async () => {
    disk = new FailingDisk(folder.path);
    await disk.install();
  });
  afterEach(() => disk.uninstall());

  const users = (): LocalUserStore =>
    new LocalUserStore({ folder: join(folder.path, "users"), log: silentLog, now: () => 1 });
  const authz = (): LocalAuthzStore =>
    new LocalAuthzStore({ folder: join(folder.path, "authz"), log: silentLog, now: () => 1 });
  const sessions = (): LocalSessionStore => new LocalSessionStore(join(folder.path, "sessions"));
  const log = (): DeliveryLog => new DeliveryLog(new FileStore(join(folder.path, "log")));
  const ID = `visitor-${"a".repeat(64)}`;

  const subjects: readonly Subject[] = [
    {
      name: "an account",
      prepare: async () => void (await users().create(account("ann", "ann@example.org"))),
      steps: [
        { name: "create", run: () => users().create(account("bob", "bob@example.org")) },
        {
          name: "change",
          run: () => users().update("ann", (user) => ({ ...user, email: "new@example.org" })),
        },
        { name: "delete", run: () => users().delete("bob") },
      ],
      look: async () => {
        const store = users();
        await store.check();
        const found: string[] = [];
        for (const { id, email } of await store.list({ limit: 10, offset: 0 })) {
          assert.equal((await store.findByEmail(email))?.id, id, "the index disagrees");
          found.push(email);
        }
        const gone = ["ann@example.org", "new@example.org", "bob@example.org"];
        for (const email of gone.filter((one) => !found.includes(one))) {
          assert.equal(await store.findByEmail(email), null);
        }
        return found.sort().join();
      },
    },
    {
      name: "roles",
      prepare: async () => void (await authz().update("ann", withRole("a"))),
      steps: [
        { name: "give", run: () => authz().update("ann", withRole("b")) },
        { name: "take", run: () => authz().update("ann", (one) => ({ ...one, tuples: [] })) },
      ],
      look: async () =>
        (await authz().get("ann"))?.tuples.map(({ object }) => object).join() ?? "-",
    },
    {
      name: "a session",
      prepare: () => sessions().set(ID, session("ann")),
      steps: [
        { name: "save", run: () => sessions().set(ID, session("bob")) },
        { name: "destroy", run: () => sessions().destroy(ID) },
        { name: "save again", run: () => sessions().set(ID, session("bob")) },
        { name: "end all", run: () => sessions().destroyUser("bob") },
      ],
      look: async () => (await sessions().get(ID))?.userId ?? "-",
    },
    {
      name: "a delivery",
      prepare: () => log().write(delivery("pending")),
      steps: [{ name: "write", run: () => log().write(delivery("success")) }],
      look: async () => {
        const { items } = await log().recent(0, 10);
        return items.map(({ finalStatus }) => finalStatus).join() || "-";
      },
    },
  ];

  /** The content after each step without a fault, starting with the prepared one. */
  async function expected(subject: Subject): Promise<{ looks: string[]; calls: number[] }> {
    const looks: string[] = [];
    const calls: number[] = [];
    await fresh(subject);
    looks.push(await subject.look());
    for (const step of subject.steps) {
      assert.equal(await disk.during(null, step.run), null);
      calls.push(disk.calls.length);
      looks.push(await subject.look());
    }
    return { looks, calls };
  }

  async function fresh(subject: Subject): Promise<void> {
    await rm(folder.path, { recursive: true, force: true });
    await subject.prepare();
    disk.settle();
  }

  /** Every step with the fault at each of its calls: the content is that of before or after. */
  async function tryAll(subject: Subject, faultAt: (at: number) => Fault): Promise<number> {
    const { looks, calls } = await expected(subject);
    let tried = 0;
    for (const [n, step] of subject.steps.entries()) {
      for (let at = 0; at <= (calls[n] ?? 0); at += 1) {
        await fresh(subject);
        for (const earlier of subject.steps.slice(0, n)) await earlier.run();
        const fault = faultAt(at);
        const thrown = await disk.during(fault, step.run);
        const where = `${step.name}, ${disk.calls[at] ?? "afterwards"} (call ${at}), ${JSON.stringify(fault)}`;
        const content = await subject.look();
        const wanted = thrown === null ? [looks[n + 1]] : [looks[n], looks[n + 1]];
        assert.ok(wanted.includes(content), `${where}: ${content}, not ${wanted.join(" or ")}`);
        // It recovers by itself.
        await step.run();
        assert.equal(await subject.look(), looks[n + 1], `${where}: again`);
        tried += 1;
      }
    }
    return tried;
  }

  for (const subject of subjects) {
    for (const code of CODES) {
      it(`${subject.name}: ${code} at any call leaves the old or the new content, and no temporary file`, async () => {
        assert.ok((await tryAll(subject, (at) => ({ at, code }))) > 5);
        const left = await readdir(folder.path, { recursive: true });
        assert.deepEqual(left.filter(isTemporary), []);
      });
    }

    for (const keepsNames of [true, false]) {
      const kind = keepsNames ? "with the names that were given" : "with all that was not synced";
      it(`${subject.name}: power loss at any call, ${kind}, leaves the old or the new content, and every acknowledged one`, async () => {
        assert.ok((await tryAll(subject, (at) => ({ at, power: "lost", keepsNames }))) > 5);
      });
    }
  }
});

function account(id: string, email: string): User {
  const times = { createdAt: 1, updatedAt: 1, lastSeenAt: 1 };
  return { id, email, roles: [], provider: "magic", linkedProviders: [], ...times };
}

function withRole(role: string) {
  return <T extends { user: string; tuples: readonly Tuple[] }>(record: T): T => ({
    ...record,
    tuples: [
      ...record.tuples.filter(({ object }) => object !== role),
      { user: record.user, relation: "member", object: role },
    ],
  });
}

function session(userId: string) {
  return { userId, kind: "visitor" as const, data: {}, createdAt: 1, expiresAt: 9_999_999_999_999 };
}

function delivery(finalStatus: DeliveryRecord["finalStatus"]): DeliveryRecord {
  return {
    id: DELIVERY,
    endpointUrl: "https://example.org/",
    endpointIndex: 0,
    endpointLabel: "",
    event: "onPageUpdate",
    payload: {},
    attempts: [],
    finalStatus,
    createdAt: 1_469_918_176_385,
  };
}
