/** A server that tests need is not available on this machine; the message says how to get it. */
export class MissingServiceError extends Error {
  constructor(service: string, remedy: string, cause?: unknown) {
    super(`${service} is missing: ${remedy}`, { cause });
    this.name = "MissingServiceError";
  }
}
