/** HTTP without a site: bodies of requests, the Content-Security-Policy, connections in memory. Runs in Node.js. */
export { type BodyForm, bodyParser, hasBody, jsonBody, readBody, watchBody } from "./body.js";
export { CSP_HEADER, type CspSources, expectCsp, withCspSources } from "./csp.js";
export {
  type Acceptor,
  MemoryConnection,
  type MemoryRequest,
  type RawAnswer,
} from "./memory-connection.js";
