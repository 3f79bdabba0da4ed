/** Room for those who need it: equal parts, and what one does not need is for those that need more. */
export function shareRoom(needs: readonly number[], room: number): readonly number[] {
  const rooms = needs.map(() => 0);
  const byNeed = [...needs.entries()].sort(([, one], [, other]) => one - other);
  let left = Math.max(0, room);
  for (const [place, [index, need]] of byNeed.entries()) {
    const given = Math.min(need, Math.floor(left / (byNeed.length - place)));
    rooms[index] = given;
    left -= given;
  }
  return rooms;
}
