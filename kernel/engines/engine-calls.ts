/** Engines as the plugin of their slot calls them: what goes wrong in a call names the engine and its plugin. */
import { isPromise } from "#lib/values";
import { errorCode, isErrorCode, SiteError, messageOf } from "#lib/errors";
import type { EngineCall, EngineSlot, Logger } from "../contracts.js";
import { formatPosition, authorPlaceOf } from "#lib/modules";
import { EngineError, type EngineMember } from "../errors.js";

/** Maximum number of calls that are remembered: those of an engine that never answers add up. */
const MAX_PENDING = 1_000;
const FAILED_FIX =
  "correct the engine, or select another one; the lines of its plugin tell where it failed";

/** The calls of engines that have not answered yet. */
export class PendingCalls {
  readonly #calls = new Map<object, { readonly of: EngineMember; readonly since: number }>();

  readonly #timers = new Set<NodeJS.Timeout>();

  /** Notes a call; the result ends it. */
  add(of: EngineMember): () => void {
    const key = {};
    if (this.#calls.size < MAX_PENDING) this.#calls.set(key, { of, since: performance.now() });
    return () => void this.#calls.delete(key);
  }

  /** Resolves with the answer. @throws Error after `limitMs`, unless the site has closed before. */
  async within(limitMs: number, answer: PromiseLike<unknown>): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
      this.#timers.add(timer);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
      if (timer !== undefined) this.#timers.delete(timer);
    }
  }

  /** Calls that have not answered no longer keep the process alive. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  /** Those that began at this moment (`performance.now()`) or later. */
  since(moment: number): EngineMember[] {
    return [...this.#calls.values()].flatMap(({ of, since }) => (since >= moment ? [of] : []));
  }
}

/** The engine to view, and who registered it for what. */
export interface EngineToView extends Omit<EngineMember, "member"> {
  readonly value: object;
  readonly calls: Readonly<Record<string, EngineCall | undefined>>;
  readonly pending: PendingCalls;
  /** The longest time limit of a call, in ms; undefined: that of the call. */
  readonly maxLimitMs: number | undefined;
}

/**
 * An object with the members of an engine, whose calls are watched. Not a proxy: one could not show the methods
 * of a frozen object.
 */
export function engineView(engine: EngineToView): object {
  return new View(engine).of(engine.value, "", engine.calls);
}

class View {
  readonly #engine: EngineToView;

  constructor(engine: EngineToView) {
    this.#engine = engine;
  }

  of(target: object, path: string, calls: EngineToView["calls"]): object {
    const view: object = Object.create(Reflect.getPrototypeOf(target));
    for (const [key, isEnumerable] of listMembers(target)) {
      const call = typeof key === "string" && Object.hasOwn(calls, key) ? calls[key] : undefined;
      let shown: { readonly value: unknown; readonly method: unknown } | null = null;
      Object.defineProperty(view, key, {
        configurable: true,
        enumerable: isEnumerable,
        get: () => {
          // Private fields are only found on the object itself.
          const value: unknown = Reflect.get(target, key, target);
          if (typeof value !== "function") return value;
          const invoke = (...args: unknown[]): unknown => Reflect.apply(value, target, args);
          const of = (): EngineMember => this.#member(path + String(key));
          const method =
            call === undefined
              ? invoke
              : (...args: unknown[]) => this.#watch(call, of(), () => invoke(...args));
          if (shown?.value !== value) shown = { value, method };
          return shown.method;
        },
      });
    }
    return view;
  }

  #member(member: string): EngineMember {
    const { slot, engine, enginePlugin } = this.#engine;
    return { slot, engine, enginePlugin, member };
  }

  #watch(call: EngineCall, of: EngineMember, work: () => unknown): unknown {
    try {
      const result = work();
      return isPromise(result) ? this.#settled(call, of, result) : this.#checked(call, of, result);
    } catch (error) {
      throw blamed(of, error);
    }
  }

  async #settled(call: EngineCall, of: EngineMember, answer: PromiseLike<unknown>) {
    const end = this.#engine.pending.add(of);
    const { maxLimitMs = Infinity } = this.#engine;
    const limitMs = Math.min(call.limitMs ?? Infinity, maxLimitMs);
    try {
      const result = await (call.limitMs === undefined
        ? answer
        : this.#engine.pending.within(limitMs, answer));
      return this.#checked(call, of, result);
    } catch (error) {
      throw blamed(of, error);
    } finally {
      end();
    }
  }

  #checked({ result: check, calls }: EngineCall, of: EngineMember, result: unknown): unknown {
    const problem = check(result);
    if (problem !== null) {
      throw new EngineError(of, `it returned a wrong value: ${problem}`, {
        code: "ERR_ENGINE_VALUE",
        fix: `return what the reference of engines shows for the slot "${of.slot}"`,
      });
    }
    if (calls === undefined || typeof result !== "object" || result === null) return result;
    return this.of(result, `${of.member}.`, calls);
  }
}

/** The members of an object and of its classes, and whether they are its own enumerable ones. */
function listMembers(target: object): Map<string | symbol, boolean> {
  const members = new Map<string | symbol, boolean>();
  let level: object | null = target;
  while (level !== null && level !== Object.prototype) {
    for (const key of Reflect.ownKeys(level)) {
      if (members.has(key) || key === "constructor") continue;
      members.set(key, level === target && Object.prototype.propertyIsEnumerable.call(level, key));
    }
    level = Reflect.getPrototypeOf(level);
  }
  return members;
}

/** Errors that a contract names stay as they are, and so do those of an engine below this one. */
function blamed(of: EngineMember, cause: unknown): Error {
  if (cause instanceof SiteError || cause instanceof EngineError) return cause;
  const code = errorCode(cause);
  return new EngineError(of, messageOf(cause), {
    code: isErrorCode(code) ? code : "ERR_ENGINE_FAILED",
    fix: FAILED_FIX,
    cause,
  });
}

/** Fields of a log line about a failed call: the message, and of a plugin's engine its name, the place and the fix. */
export function engineFailureFields(error: unknown): Record<string, unknown> {
  const failed = findEngineError(error);
  if (failed === null) {
    const code = errorCode(error);
    return {
      error: messageOf(error),
      ...(isErrorCode(code) && { code }),
      ...(error instanceof SiteError && error.fix !== undefined && { fix: error.fix }),
    };
  }
  const position = authorPlaceOf(failed);
  const { message, code, of, fix } = failed;
  return {
    error: message,
    code,
    ...of,
    ...(position !== null && { at: formatPosition(position) }),
    fix,
  };
}

/** The failed call among an error and its causes; null: the error has another reason. */
export function findEngineError(error: unknown): EngineError | null {
  if (error instanceof EngineError) return error;
  return error instanceof Error && error.cause instanceof Error
    ? findEngineError(error.cause)
    : null;
}

/** Time limit for an engine of another plugin to close, in ms. */
const CLOSE_MS = 5_000;

/** The call `close` of a slot, for `engines.open`. */
export const closeCall: EngineCall = { result: () => null, limitMs: CLOSE_MS };

/** An engine that may have to be closed. */
export interface ClosableEngine {
  close?(): void | Promise<void>;
}

/** Closes every engine of a slot; one that fails is logged and keeps no other open. */
export async function closeEngines(
  slot: Pick<EngineSlot<ClosableEngine>, "names" | "get">,
  log: Logger,
): Promise<void> {
  for (const name of slot.names) {
    try {
      await slot.get(name)?.close?.();
    } catch (error) {
      log.warn("engine.close_failed", engineFailureFields(error));
    }
  }
}
