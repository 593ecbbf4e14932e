// One question for all who ask the same at the same time. For what anybody may ask: signing waits for the same connections.
export function askedTogether<Answer, Key = void>(ask: (key: Key) => Promise<Answer>): (key: Key) => Promise<Answer> {
  const underWay = new Map<Key, Promise<Answer>>()
  return (key) => {
    const known = underWay.get(key)
    if (known) return known
    const answer = ask(key).finally(() => underWay.delete(key))
    underWay.set(key, answer)
    return answer
  }
}
