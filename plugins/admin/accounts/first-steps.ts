import type { CollectionDefinition, RecordCollection, RecordStore } from "#kernel";
import { access, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { sha256 } from "#kernel/internal";
import type { AuditLog } from "../audit-log.js";
import type { AdminIdentity, Permission } from "../contract.js";

const shape = z.object({ userId: z.string(), dismissed: z.boolean() });
type Stored = z.infer<typeof shape>;
const COLLECTION: CollectionDefinition<Stored> = {
  name: "panel-first-steps",
  key: /^[0-9a-f]{64}$/,
  parse: (value) => shape.safeParse(value).data ?? null,
};

/** A step of the guide, with the audited action that completes it. */
const STEPS = [
  { name: "password", event: "user.password", needs: null },
  { name: "title", event: "config.update", needs: "config.update" },
  { name: "page", event: "page.create", needs: "pages.create" },
] as const satisfies readonly { name: string; event: string; needs: Permission | null }[];

/** The guide for a new account. */
export interface FirstSteps {
  readonly dismissed: boolean;
  readonly steps: readonly {
    readonly name: (typeof STEPS)[number]["name"];
    readonly done: boolean;
  }[];
}
interface Parts {
  readonly store: () => RecordStore;
  readonly audit: AuditLog;
  /** `admin.runtimeDir`, absolute. */
  readonly runtime: string;
}

/** The first steps of an account: what is done is read from the audit log. */
export class FirstStepsGuide {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async of({ id, permissions }: AdminIdentity, username: string | undefined): Promise<FirstSteps> {
    const stored = await this.#records.get(sha256(id));
    if (stored?.value.dismissed === true) return { dismissed: true, steps: [] };
    const isInitial = username === "admin" && (await this.#hasInitialPassword());
    const steps = STEPS.filter(({ name, needs }) =>
      name === "password" ? isInitial : needs !== null && permissions.has(needs),
    );
    const known = await Promise.all(
      steps.map(async ({ name, event }) => ({ name, done: await this.#did(id, event) })),
    );
    const isOver = known.every(({ done }) => done);
    if (isOver) await this.dismiss(id);
    return { dismissed: isOver, steps: known };
  }

  async dismiss(id: string): Promise<void> {
    await this.#records.update(sha256(id), () => ({ userId: id, dismissed: true }));
  }

  /** Deletes what is stored about a deleted account. */
  async forget(userId: string): Promise<void> {
    await this.#records.delete(sha256(userId));
  }

  /** Deletes the file with the initial password once that password is no longer valid. */
  async passwordChanged(former: string): Promise<void> {
    const text = await readFile(this.#file, "utf8").catch(() => null);
    if (text?.trim() === former) await rm(this.#file, { force: true });
  }

  async #hasInitialPassword(): Promise<boolean> {
    return access(this.#file).then(
      () => true,
      () => false,
    );
  }

  async #did(actor: string, event: string): Promise<boolean> {
    const query = { limit: 1, offset: 0, actor, event, outcome: "success" } as const;
    return (await this.#parts.audit.list(query)).total > 0;
  }

  get #file(): string {
    return join(this.#parts.runtime, "initial-admin-password");
  }

  get #records(): RecordCollection<Stored> {
    return this.#parts.store().collection(COLLECTION);
  }
}
