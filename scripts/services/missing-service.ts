/** A server that tests want cannot be had on this machine; the message says how to get it. */
export class MissingServiceError extends Error {
  constructor(service: string, remedy: string, cause?: unknown) {
    super(`${service} is missing: ${remedy}`, { cause });
    this.name = "MissingServiceError";
  }
}
