interface Flight<T> {
  readonly result: Promise<T>;
  readonly ground: AbortController;
  passengers: number;
}

/** Work that many ask for and that is done once. */
export class Flights<T> {
  readonly #flights = new Map<string, Flight<T>>();

  /**
   * The result of the work under way for `key`, or of `work`, started now. When everybody who waits
   * for it has left, the signal handed to `work` fires.
   */
  join(
    key: string,
    work: (left: AbortSignal) => Promise<T>,
    leave: AbortSignal,
  ): { result: Promise<T>; isFirst: boolean } {
    const known = this.#flights.get(key);
    const flight = known ?? this.#start(key, work);
    flight.passengers += 1;
    return { result: this.#board(key, flight, leave), isFirst: known === undefined };
  }

  #start(key: string, work: (left: AbortSignal) => Promise<T>): Flight<T> {
    const ground = new AbortController();
    const flight: Flight<T> = { result: work(ground.signal), ground, passengers: 0 };
    this.#flights.set(key, flight);
    const land = (): void => this.#land(key, flight);
    flight.result.then(land, land);
    return flight;
  }

  #land(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }

  async #board(key: string, flight: Flight<T>, leave: AbortSignal): Promise<T> {
    const getOff = (): void => {
      flight.passengers -= 1;
      if (flight.passengers > 0) return;
      // A newcomer must not board what is being given up.
      this.#land(key, flight);
      flight.ground.abort();
    };
    if (leave.aborted) getOff();
    leave.addEventListener("abort", getOff, { once: true });
    try {
      return await flight.result;
    } finally {
      leave.removeEventListener("abort", getOff);
    }
  }
}
