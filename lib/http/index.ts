/**
 * HTTP without a site: servers of Express apps, targets and bodies of requests, checks of responses, the
 * Content-Security-Policy, connections in memory, ports that servers hand over. Runs in Node.js.
 */
export {
  type BodyForm,
  bodyParser,
  dropBody,
  hasBody,
  jsonBody,
  readBody,
  watchBody,
} from "./body.js";
export { type CacheLifetime, cappedLifetime } from "./cache-control.js";
export { chooseEncoding, type Encoding, isCompressible } from "./content-encoding.js";
export { CSP_HEADER, type CspSources, expectCsp, withCspSources } from "./csp.js";
export { expectContentType, expectHeaders, expectStatus } from "./expect-response.js";
export {
  type Acceptor,
  MemoryConnection,
  type MemoryRequest,
  type RawAnswer,
} from "./memory-connection.js";
export { drain, listenOn } from "./listen.js";
export { type OverdueOptions, OverdueResponses } from "./overdue-responses.js";
export { type PacedWrites, paceWrites } from "./paced-writes.js";
export { type PublicError, publicError } from "./public-error.js";
export { reloadClient } from "./reload-client.js";
export {
  clientAddress,
  parseTarget,
  readTarget,
  rejectedTarget,
  type RequestTarget,
} from "./request-target.js";
export {
  createRouter,
  expectRoutePath,
  formatRoute,
  isBelowPath,
  matchKey,
  type RouteAddress,
} from "./route-paths.js";
export { onAnswered, refuseConnection, sentStatus } from "./sent-responses.js";
export {
  adopter,
  type BeforeHead,
  changeHeaders,
  defineWriteHead,
  type ForeignRequest,
  passToServer,
  type ServerClasses,
  serverClasses,
} from "./server-classes.js";
export { RequestTimings, SERVER_TIMING, Timings } from "./server-timing.js";
export { type Resident, SharedPort } from "./shared-port.js";
export { isPathRemoved, SitePath } from "./site-path.js";
