import { AsyncResource } from "node:async_hooks";

/** Time budget for requests in one turn of the event loop, in ms. */
const TURN_MS = 4;
/**
 * Turns in a row that are left to new connections while work waits. Not a time: on a busy machine a few turns take as
 * long as all of these on an idle one.
 */
const ACCEPT_TURNS = 64;

interface WaitingWork {
  readonly resource: AsyncResource;
  work(): void;
}

/**
 * Runs work in short slices of the event loop. Node accepts one connection per turn: otherwise a turn
 * lasts as long as all its requests, and a health check waits for many turns.
 */
export class TurnQueue {
  readonly #maxWaiting: number;
  readonly #waiting: WaitingWork[] = [];
  /** Work behind all other work, by the key whose turn comes next. */
  readonly #behind = new Map<string, WaitingWork[]>();
  /** Time used in this turn, in ms. */
  #used = 0;
  #isScheduled = false;
  #hasAccepted = false;
  /** Turns left to new connections since work ran in one. */
  #acceptTurns = 0;

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs `work` now or in a later turn; false when the queue is full. */
  enter(work: () => void): boolean {
    if (this.#waiting.length === 0 && this.#used < TURN_MS) {
      this.#run(work);
      return true;
    }
    if (this.#waiting.length >= this.#maxWaiting) return false;
    this.#waiting.push(inContext(work));
    this.#schedule();
    return true;
  }

  /**
   * Runs `work` in a later turn, when no entered work waits; at least one such work in each turn. The keys take
   * turns, so that a key with much work does not delay the others.
   */
  enterBehind(key: string, work: () => void): void {
    const waiting = inContext(work);
    const ofKey = this.#behind.get(key);
    if (ofKey === undefined) this.#behind.set(key, [waiting]);
    else ofKey.push(waiting);
    this.#schedule();
  }

  /** Records a new connection: while connections arrive, a turn is left free to accept the next. */
  accepted(): void {
    this.#hasAccepted = true;
  }

  readonly #run = (work: () => void): void => {
    const start = performance.now();
    work();
    this.#used += performance.now() - start;
    this.#schedule();
  };

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#turn);
  }

  readonly #turn = (): void => {
    this.#isScheduled = false;
    this.#used = 0;
    const isAccepting = this.#hasAccepted && this.#acceptTurns < ACCEPT_TURNS;
    this.#hasAccepted = false;
    if (isAccepting) this.#acceptTurns += 1;
    else {
      this.#acceptTurns = 0;
      while (this.#used < TURN_MS && this.#runNext(this.#waiting.shift()));
      do if (!this.#runNext(this.#nextBehind())) break;
      while (this.#used < TURN_MS);
    }
    if (this.#waiting.length > 0 || this.#behind.size > 0) this.#schedule();
  };

  /** False without work. */
  #runNext(next: WaitingWork | undefined): boolean {
    next?.resource.runInAsyncScope(this.#run, this, next.work);
    return next !== undefined;
  }

  /** The next work of the next key, which goes to the end of the line. */
  #nextBehind(): WaitingWork | undefined {
    for (const [key, [next, ...rest]] of this.#behind) {
      this.#behind.delete(key);
      if (rest.length > 0) this.#behind.set(key, rest);
      return next;
    }
    return undefined;
  }
}

/**
 * Traces and timings belong to the request, not to the turn that runs it. `AsyncResource.bind` would take 7 % of the
 * time of a long queue on Node 20.
 */
function inContext(work: () => void): WaitingWork {
  return { resource: new AsyncResource("SiteTurn"), work };
}
