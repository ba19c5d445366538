import { createBodyRoom } from '../src/pipeline/body-room.ts';

test('bodies get room in the order of their arrival, and a small one does not overtake', () => {
  const room = createBodyRoom(100);
  const started: string[] = [];
  const enter = (name: string, bytes: number) => room.enter(bytes, () => started.push(name));
  const leaveFirst = enter('first', 60);
  const leaveLarge = enter('large', 60);
  const leaveSmall = enter('small', 10);
  expect(started).toEqual(['first']);
  leaveFirst();
  expect(started).toEqual(['first', 'large', 'small']);
  leaveFirst();
  const leaveLast = enter('last', 40);
  expect(started).toHaveLength(3);
  leaveSmall();
  leaveLarge();
  leaveLast();
  enter('whole', 1_000);
  expect(started).toEqual(['first', 'large', 'small', 'last', 'whole']);
});

test('a body that leaves while it waits lets the next one in', () => {
  const room = createBodyRoom(100);
  const started: string[] = [];
  room.enter(60, () => started.push('first'));
  const leave = room.enter(60, () => started.push('large'));
  room.enter(40, () => started.push('small'));
  leave();
  expect(started).toEqual(['first', 'small']);
});
