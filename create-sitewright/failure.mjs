/** An error that is printed without a stack: what happened, then how to fix it. */
export class Failure extends Error {
  constructor(message, { fix = "", code = 1, output = "" } = {}) {
    super(message);
    Object.assign(this, { fix, code, output });
  }
}
