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
import { keysOf, type KeyKind, type UserKey } from "./user-keys.js";

const KINDS: readonly KeyKind[] = ["email", "username", "identity"];

/** An entry that is not as the records say; `id` null: it should not be there. */
interface Wrong {
  key: UserKey;
  id: string | null;
}

/** `by-email/`, `by-username/` and `by-identity/`: a file for each key that holds an account's id. */
export class LocalIndex {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The id an entry holds; null when it is absent or unreadable. */
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

  /** How many accounts have an entry for their address. */
  async size(): Promise<number> {
    return (await jsonNames(join(this.#folder, "by-email"))).length;
  }

  /** What differs from the records. */
  async wrong(users: readonly User[]): Promise<Wrong[]> {
    const wrong: Wrong[] = [];
    const expected = new Map<string, string>();
    for (const user of users) {
      // Of two records with one key the first, the oldest, keeps it.
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

  /** Writes the entries right. Only under the store's lock. */
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
