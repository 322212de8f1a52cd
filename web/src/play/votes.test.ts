import { expect, test } from "vitest";
import { seatView, tableView } from "./testing.ts";
import { ballotOf, goneInWords } from "./votes.ts";

const person = (seat: number, away = false) =>
  seatView(seat, { bot: null, presence: away ? "away" : "here" });
const names = (seats: readonly { name: string }[] | undefined) => seats?.map(({ name }) => name);

test("while nobody is gone there is no ballot", () => {
  expect(ballotOf(tableView())).toBeNull();
});

test("people who are here are asked, those who are gone and bots are not", () => {
  const seats = [person(1), person(2, true), person(3), seatView(4)];
  const ballot = ballotOf(tableView({ seats, end_votes: [3] }));
  expect(names(ballot?.gone)).toEqual(["Jun"]);
  expect(names(ballot?.forIt)).toEqual(["Mara"]);
  expect(names(ballot?.open)).toEqual(["You"]);
});

test("it is said who is gone, or that somebody has left", () => {
  const say = (...seats: ReturnType<typeof seatView>[]) => {
    const ballot = ballotOf(tableView({ seats, end_votes: [] }));
    return ballot && goneInWords(ballot);
  };
  expect(say(person(1), person(2, true))).toBe("Jun is gone, and a bot stands in.");
  expect(say(person(1), person(2, true), person(3, true), person(4, true))).toBe(
    "Jun, Mara and Robin are gone, and bots stand in.",
  );
  expect(say(person(1), seatView(2))).toBe("Somebody has left, and a bot plays on in that seat.");
});
