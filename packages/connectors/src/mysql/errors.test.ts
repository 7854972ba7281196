/** Errors of MySQL and MariaDB servers by their numbers and states, for those that no MariaDB can be brought to answer. */
import { describe, expect, test } from "vitest";
import { classifyMysqlError } from "./errors.ts";
import { refusalOf } from "./writing/refusals.ts";

/** As the driver makes them. */
const serverError = (errno: number, sqlState = "HY000") =>
  Object.assign(new Error("said"), { errno, code: `ER_${errno}`, sqlState, sqlMessage: "said" });

describe("the server's errors", () => {
  test.for([1927, 3169, 4031, 1152, 1184, 1637])("%i is a connection or transaction that may be had later", (errno) =>
    expect(classifyMysqlError(serverError(errno), "db:3306")).toMatchObject({ kind: "unavailable", retryable: true }),
  );
  test("3955 is an account that too many wrong passwords have locked", () =>
    expect(classifyMysqlError(serverError(3955), "db:3306")).toMatchObject({ kind: "authentication" }));
});

describe("a handshake of TLS", () => {
  const failed = (message: string) => Object.assign(new Error(message), { code: "HANDSHAKE_SSL_ERROR" });
  test.for(["read ECONNRESET", "Client network socket disconnected before secure TLS connection was established"])(
    "that broke off is no problem of a certificate: %s",
    (message) =>
      expect(classifyMysqlError(failed(message), "db:3306")).toMatchObject({ kind: "unreachable", retryable: true }),
  );
  test("that failed for its certificate is", () =>
    expect(classifyMysqlError(failed("self-signed certificate"), "db:3306")).toMatchObject({ kind: "certificate" }));
});

describe("a refusal of one row", () => {
  const about: [errno: number, state: string][] = [
    [3157, "22032"],
    [1441, "22008"],
    [3903, "22018"],
    [1713, "HY000"],
    [1748, "HY000"],
    [1863, "HY000"],
    [1591, "HY000"],
    [3751, "HY000"],
    [3905, "HY000"],
    [3907, "HY000"],
    [30_001, "44000"],
  ];
  test.for(about)("%i (%s) is about the row", ([errno, state]) =>
    expect(refusalOf({ errno, state, message: "said" })).toMatchObject({ status: "rejected", code: "refused" }),
  );
  test.for([
    [1146, "42S02"],
    [1142, "42000"],
    [1040, "08004"],
    [1114, "HY000"],
    [2013, "HY000"],
  ] as const)("%i (%s) is not", ([errno, state]) => expect(refusalOf({ errno, state, message: "said" })).toBeNull());
});
