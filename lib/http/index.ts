/** HTTP without a site: bodies of requests, the Content-Security-Policy, connections in memory, ports that servers hand over. Runs in Node.js. */
export { type BodyForm, bodyParser, hasBody, jsonBody, readBody, watchBody } from "./body.js";
export { CSP_HEADER, type CspSources, expectCsp, withCspSources } from "./csp.js";
export {
  type Acceptor,
  MemoryConnection,
  type MemoryRequest,
  type RawAnswer,
} from "./memory-connection.js";
export { drain, listenOn } from "./listen.js";
export { type Resident, SharedPort } from "./shared-port.js";
