# What the commands of these guides have in common. From the project's folder, with `npm start` running:  . docs/guides/prelude.sh

url=${FOREWARN_URL:-http://127.0.0.1:3000}
# The local service shows what it does, and has endpoints that keep what they receive. "npm run prove" has others for these.
control=${FOREWARN_CONTROL:-$url/_local}
sink=${FOREWARN_SINK:-$control/sink}

# get NAME: a value out of JSON, such as `access_token` or `site.rcode`.
get() { node -p "JSON.parse(fs.readFileSync(0)).$1"; }

# known NAME: a value of the demo tenant, which `npm start` has made.
known() { curl -s "$control/credentials" | get "$1"; }

# token_of USERNAME PASSWORD: a token, good for an hour.
token_of() {
  curl -s "$url/api/v2/index.php/gettoken" -H 'content-type: application/json' \
    -d "{\"username\": \"$1\", \"password\": \"$2\"}" | get access_token
}

# api PATH [JSON]: a call with the token in $token.
api() {
  curl -s -w '\n' -X POST "$url$1" -H "authorization: Bearer $token" -H 'content-type: application/json' -d "${2:-{\}}"
}

# signature BODY: the header that proves a call of the site whose secret is $rcode; see "Sign a call" in payments.md.
signature() {
  local now   # elsewhere: date +%s
  now=$(curl -s "$control/clock" | get seconds)
  node -p '
    const [rcode, time, body] = process.argv.slice(1);
    `x-signature: t=${time},v1=${crypto.createHmac("sha256", rcode).update(`${time}.${body}`).digest("hex")}`' "$rcode" "$now" "$1"
}

# settle: waits until the local service has worked off what it has begun.
settle() { until curl -s "$control/status" | grep -q '"idle":true'; do sleep 0.1; done; }
