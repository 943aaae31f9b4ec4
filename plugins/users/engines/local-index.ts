import { join } from "node:path";
import type { User } from "../contract.js";
import {
  forEachOf,
  jsonNames,
  readText,
  removeFile,
  removeTemporary,
  writeJson,
} from "./local-files.js";
import { keysOf, type KeyKind, type UserKey } from "./user-record.js";

const KINDS: readonly KeyKind[] = ["email", "username", "identity"];

/** An index entry that contradicts the records; `id` null: the entry should not exist. */
interface Wrong {
  key: UserKey;
  id: string | null;
}

/** `by-email/`, `by-username/` and `by-identity/`: one file per key, containing an account's id. */
export class LocalIndex {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The id in an entry; null if it is absent or unreadable. */
  async read(key: UserKey): Promise<string | null> {
    const text = await readText(this.#file(key));
    if (text === null) return null;
    try {
      const entry: unknown = JSON.parse(text);
      const isEntry = typeof entry === "object" && entry !== null && "id" in entry;
      return isEntry && typeof entry.id === "string" ? entry.id : null;
    } catch {
      return null;
    }
  }

  write(key: UserKey, id: string): Promise<void> {
    return writeJson(this.#file(key), { id });
  }

  remove(key: UserKey): Promise<void> {
    return removeFile(this.#file(key));
  }

  /** The number of accounts with an e-mail entry. */
  async size(): Promise<number> {
    return (await jsonNames(join(this.#folder, "by-email"))).length;
  }

  /** Entries that differ from the records. */
  async wrong(users: readonly User[]): Promise<Wrong[]> {
    const wrong: Wrong[] = [];
    const expected = new Map<string, string>();
    for (const user of users) {
      // If two records share a key, the oldest one owns it.
      for (const key of keysOf(user)) {
        const name = `${key.kind}/${key.digest}`;
        if (!expected.has(name)) expected.set(name, user.id);
      }
    }
    await forEachOf(expected, async ([name, id]) => {
      const key = parseName(name);
      if ((await this.read(key)) !== id) wrong.push({ key, id });
    });
    for (const kind of KINDS) {
      for (const digest of await jsonNames(join(this.#folder, `by-${kind}`))) {
        if (!expected.has(`${kind}/${digest}`)) wrong.push({ key: { kind, digest }, id: null });
      }
    }
    return wrong;
  }

  /** Corrects the entries. Only call while holding the store's lock. */
  async repair(wrong: readonly Wrong[]): Promise<void> {
    for (const kind of KINDS) await removeTemporary(join(this.#folder, `by-${kind}`));
    await forEachOf(wrong, ({ key, id }) => (id === null ? this.remove(key) : this.write(key, id)));
  }

  #file({ kind, digest }: UserKey): string {
    return join(this.#folder, `by-${kind}`, `${digest}.json`);
  }
}

function parseName(name: string): UserKey {
  const kind = KINDS.find((candidate) => name.startsWith(`${candidate}/`)) ?? "email";
  return { kind, digest: name.slice(kind.length + 1) };
}
