/** Tells the time; tests freeze it. */
export interface Clock {
  /** Unix ms. */
  now(): number;
}
