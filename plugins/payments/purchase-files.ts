import { readdir, readFile, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { atomicWrite, HttpError, SiteError } from "#kernel";
import { isTemporary } from "#lib/files";
import { sha256 } from "#lib/secrets";
import type { Purchases } from "./purchases.js";

/** A started checkout: who pays, and for what. */
export interface BegunCheckout {
  readonly checkoutId: string;
  readonly userId: string;
  readonly product: string;
  /** Unix ms. */
  readonly createdAt: number;
}

const begun: z.ZodType<BegunCheckout> = z.object({
  checkoutId: z.string(),
  userId: z.string(),
  product: z.string(),
  createdAt: z.number(),
});
const customer = z.object({ customerId: z.string(), userId: z.string() });
const purchases: z.ZodType<Purchases> = z.object({
  userId: z.string(),
  customerId: z.string().nullable(),
  purchases: z.array(z.object({ product: z.string(), checkoutId: z.string(), paidAt: z.number() })),
  subscriptions: z.record(
    z.string(),
    z.object({
      priceIds: z.array(z.string()),
      isActive: z.boolean(),
      isOver: z.boolean(),
      changedAt: z.number(),
    }),
  ),
  events: z.array(z.string()),
});

const CHECKOUTS = "checkouts";
const CUSTOMERS = "customers";
const USERS = "users";

/** Stores who pays for what in files below `data/payments`; file names are digests of ids. */
export class PurchaseFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  checkout(id: string): Promise<BegunCheckout | null> {
    return this.#read(begun, CHECKOUTS, id);
  }

  addCheckout(checkout: BegunCheckout): Promise<void> {
    return this.#write(CHECKOUTS, checkout.checkoutId, checkout);
  }

  /** The user of a provider's customer; null for an unknown customer. */
  async userOf(customerId: string): Promise<string | null> {
    return (await this.#read(customer, CUSTOMERS, customerId))?.userId ?? null;
  }

  setUserOf(customerId: string, userId: string): Promise<void> {
    return this.#write(CUSTOMERS, customerId, { customerId, userId });
  }

  purchases(userId: string): Promise<Purchases | null> {
    return this.#read(purchases, USERS, userId);
  }

  setPurchases(record: Purchases): Promise<void> {
    return this.#write(USERS, record.userId, record);
  }

  /** Removes checkouts started before `time` (Unix ms), and leftovers of crashes. */
  async sweep(time: number): Promise<void> {
    for (const folder of [CHECKOUTS, CUSTOMERS, USERS]) {
      for (const name of await namesIn(join(this.#folder, folder))) {
        const file = join(this.#folder, folder, name);
        const isOld = folder === CHECKOUTS && (await stat(file)).mtimeMs < time;
        if (isOld || isTemporary(name)) await rm(file, { force: true });
      }
    }
  }

  /** @throws HttpError 503 ERR_PAYMENTS_RECORD for a damaged file: purchases must not be lost. */
  async #read<T>(schema: z.ZodType<T>, folder: string, id: string): Promise<T | null> {
    const file = this.#file(folder, id);
    const text = await readFile(file, "utf8").catch(absent);
    if (text === null) return null;
    try {
      return schema.parse(JSON.parse(text));
    } catch (cause) {
      const name = `payments/${folder}/${basename(file)}`;
      throw new HttpError(503, "the purchases cannot be read at the moment; nothing is lost", {
        code: "ERR_PAYMENTS_RECORD",
        cause: new SiteError("ERR_PAYMENTS_RECORD", `${name} in the data folder is damaged`, {
          fix: "repair the file or restore it from a backup",
          cause,
        }),
      });
    }
  }

  #write(folder: string, id: string, value: object): Promise<void> {
    return atomicWrite(this.#file(folder, id), `${JSON.stringify(value, null, 2)}\n`);
  }

  #file(folder: string, id: string): string {
    return join(this.#folder, folder, `${sha256(id)}.json`);
  }
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => absent(error) ?? []);
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
