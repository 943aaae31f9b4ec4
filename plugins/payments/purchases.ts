import { readdir, readFile, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { atomicWrite, HttpError, SiteError } from "#kernel";
import { isTemporary } from "#lib/files";
import { sha256 } from "#lib/secrets";
import type { ProductSection } from "./contract.js";
import type { FailedEvent, SubscriptionEvent } from "./provider.js";

/** A product paid for once. */
export interface Purchase {
  readonly product: string;
  readonly checkoutId: string;
  /** Unix ms. */
  readonly paidAt: number;
}
/** A subscription as of its newest event. */
export interface Subscription {
  readonly priceIds: readonly string[];
  readonly isActive: boolean;
  /** True: later events have no effect. */
  readonly isOver: boolean;
  /** Unix ms of the newest event. */
  readonly changedAt: number;
}
/** The purchases of a visitor. */
export interface Purchases {
  readonly userId: string;
  readonly customerId: string | null;
  readonly purchases: readonly Purchase[];
  /** By the provider's id. */
  readonly subscriptions: Readonly<Record<string, Subscription>>;
  /** Ids of the newest events, so that a resent one has no effect. */
  readonly events: readonly string[];
}

/** Remembered events per visitor: a provider retries for some days, not for years. */
const MAX_EVENTS = 200;

/** The record of a visitor without purchases. */
export function noPurchases(userId: string): Purchases {
  return { userId, customerId: null, purchases: [], subscriptions: {}, events: [] };
}

/** The roles granted by all purchases, according to the configured products. */
export function paidRoles(
  { purchases, subscriptions }: Purchases,
  products: readonly ProductSection[],
): ReadonlySet<string> {
  const prices = new Set(
    Object.values(subscriptions).flatMap(({ isActive, priceIds }) => (isActive ? priceIds : [])),
  );
  const bought = new Set(purchases.map(({ product }) => product));
  const paid = products.filter(
    ({ id, price_id, mode }) => bought.has(id) || (mode === "subscription" && prices.has(price_id)),
  );
  return new Set(paid.map(({ role }) => role));
}

/** True when a product is already paid for. */
export function hasProduct(record: Purchases, product: ProductSection): boolean {
  const { id, price_id, mode } = product;
  if (mode === "payment") return record.purchases.some((purchase) => purchase.product === id);
  return Object.values(record.subscriptions).some(
    ({ isActive, priceIds }) => isActive && priceIds.includes(price_id),
  );
}

/** Records that an event was applied. */
export function withEvent(record: Purchases, id: string): Purchases {
  return { ...record, events: [...record.events, id].slice(-MAX_EVENTS) };
}

/** Records a single payment, once per checkout. */
export function withPurchase(record: Purchases, purchase: Purchase): Purchases {
  const isKnown = record.purchases.some(({ checkoutId }) => checkoutId === purchase.checkoutId);
  return isKnown ? record : { ...record, purchases: [...record.purchases, purchase] };
}

/**
 * Records the state of a subscription. Events arrive in any order: an older one changes nothing.
 */
export function withSubscription(
  record: Purchases,
  { subscriptionId, isActive, isOver, priceIds, createdAt }: Omit<SubscriptionEvent, "kind" | "id">,
): Purchases {
  const existing = findSubscription(record, subscriptionId);
  if (existing !== null && (existing.isOver || existing.changedAt > createdAt)) return record;
  const next: Subscription = { priceIds, isActive, isOver, changedAt: createdAt };
  return { ...record, subscriptions: { ...record.subscriptions, [subscriptionId]: next } };
}

/** Records that a subscription was not paid: it grants nothing until a later event. */
export function withFailure(
  record: Purchases,
  { subscriptionId, createdAt, customerId }: FailedEvent,
): Purchases {
  const existing = findSubscription(record, subscriptionId);
  if (existing === null) return record;
  const { priceIds, isOver } = existing;
  const event = { subscriptionId, customerId, createdAt, priceIds, isOver, isActive: false };
  return withSubscription(record, event);
}

function findSubscription({ subscriptions }: Purchases, id: string): Subscription | null {
  return (Object.hasOwn(subscriptions, id) ? subscriptions[id] : undefined) ?? null;
}

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
      for (const name of await listNames(join(this.#folder, folder))) {
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

function listNames(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => absent(error) ?? []);
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
