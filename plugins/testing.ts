/** The door `site/testing`: the suites that every engine of a slot passes, for engines of others. */
export {
  searchEngineContract,
  type EngineUnderTest,
} from "./search/testing/search-engine-contract.js";
export { streamOf, toQuery } from "./search/testing/sample-queries.js";
export {
  sessionStoreContract,
  type SessionStoreFixture,
} from "./session/testing/session-store-contract.js";
export {
  authzStoreContract,
  type AuthzStoreFixture,
} from "./users/testing/authz-store-contract.js";
export { userStoreContract, type UserStoreFixture } from "./users/testing/user-store-contract.js";
