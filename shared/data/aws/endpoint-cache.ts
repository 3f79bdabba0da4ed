export class EndpointCache {
  get() { return undefined; }
  set() {}
  has() { return false; }
  delete() {}
  clear() {}
}
