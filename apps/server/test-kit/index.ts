/** What integration tests of the server start with. */
export { CallError, type Answer, type Caller } from "./caller.ts";
export { testDatabase, type TestDatabase } from "./database/database.ts";
export { fakeClock, type FakeClock } from "./fake-clock.ts";
export { mailServer, type MailServer } from "./mail-server.ts";
export { testApp, type Place, type TestApp, type TestAppOptions } from "./test-app.ts";
