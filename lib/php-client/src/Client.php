<?php

declare(strict_types=1);

namespace Forewarn;

/** Calls a Forewarn service as a program (`apiKey`), a user (`user`), with a token (`token`), or as a site (`rcode`, which signs its calls). */
final class Client
{
    use Groups;

    private const TOKEN_PATH = '/api/v2/index.php/gettoken';
    /** Operations that only read, by their names, although they are called by POST. */
    private const ONLY_READS = '#(?:/list|/details|/search|/status|/pulse|gettoken)$#';

    /** The longest that the service's `retry-after` is followed. */
    private const LONGEST_WAIT_SECONDS = 30;

    private readonly string $base;
    private ?string $token;

    /**
     * @param ?array{string, string} $user name and password
     * @param int $attempts how often a call that may be repeated is tried in total
     * @param float $pause seconds before the second attempt; each further pause is twice as long
     * @param int $timeout seconds for each attempt
     * @param ?\Closure(): int $now Unix seconds for signatures; the local service has a clock of its own
     */
    public function __construct(
        string $url,
        ?string $token = null,
        private readonly ?array $user = null,
        private readonly ?string $rcode = null,
        private readonly int $attempts = 4,
        private readonly float $pause = 0.25,
        private readonly int $timeout = 30,
        private readonly ?\Closure $now = null,
        ?string $apiKey = null,
    ) {
        $this->token = $apiKey ?? $token;
        $this->base = rtrim($url, '/');
    }

    /**
     * Calls an operation, named by its method and path.
     *
     * @param array<string, string|int> $path values for the placeholders of the path
     * @param array<string, string|int> $query
     * @param ?array<string, mixed> $body
     * @param ?string $idempotencyKey names the call, so that the service carries it out once; a new one for each call by default
     * @param array<string, string> $headers
     * @return array<string, mixed>
     * @throws ForewarnException if the service refuses the call
     * @throws ForewarnConnectionException if no answer comes, or one that cannot be read
     */
    public function call(
        string $name,
        array $path = [],
        array $query = [],
        ?array $body = null,
        ?string $idempotencyKey = null,
        array $headers = [],
    ): array {
        [$method, $template] = explode(' ', $name, 2);
        $own = array_change_key_case($headers);
        if ($method === 'POST') {
            $own['idempotency-key'] = $idempotencyKey ?? $own['idempotency-key'] ?? bin2hex(random_bytes(16));
        }
        if ($this->token === null && $template !== self::TOKEN_PATH) {
            $this->signIn();
        }
        $target = $this->base . self::filled($template, $path) . ($query === [] ? '' : '?' . http_build_query($query));
        try {
            return $this->persistently($name, $target, $body, $own);
        } catch (ForewarnException $refusal) {
            if ($refusal->status !== 401 || $this->user === null || $template === self::TOKEN_PATH) {
                throw $refusal;
            }
        }
        // Nothing was done: the token had expired.
        $this->signIn();
        return $this->persistently($name, $target, $body, $own);
    }

    /**
     * Calls a list operation and yields its items, page by page.
     *
     * @param array<string, string|int> $path
     * @param array<string, mixed> $body filters and the `size` of a page
     * @return \Generator<int, array<string, mixed>>
     */
    public function each(string $name, array $path = [], array $body = []): \Generator
    {
        do {
            $page = $this->call($name, path: $path, body: $body);
            yield from array_values($page['list'] ?? []);
            $body['cursor'] = $page['next_cursor'] ?? null;
        } while ($body['cursor'] !== null);
    }

    /**
     * Makes the field `threeDSecure` of a payment from the result that the page's SDK returned. Only the authentication's number is used; the service
     * looks up the rest.
     *
     * @return array{threeDSecure: string}
     */
    public static function threeDSecure(string $result): array
    {
        $number = json_decode($result, true)['authentication_id'] ?? null;
        if (!is_int($number)) {
            throw new \InvalidArgumentException('The result has no authentication_id.');
        }
        return ['threeDSecure' => json_encode(['authentication_id' => $number])];
    }

    private function signIn(): void
    {
        if ($this->user === null) {
            return;
        }
        $this->token = null;
        [$username, $password] = $this->user;
        $body = ['username' => $username, 'password' => $password];
        $answer = $this->persistently('POST ' . self::TOKEN_PATH, $this->base . self::TOKEN_PATH, $body, []);
        $this->token = $answer['access_token'];
    }

    /**
     * Tries again after broken connections and passing faults, where a repeat is safe.
     *
     * @param ?array<string, mixed> $body
     * @param array<string, string> $headers
     * @return array<string, mixed>
     */
    private function persistently(string $name, string $target, ?array $body, array $headers): array
    {
        [$method, $template] = explode(' ', $name, 2);
        $mayRepeat = $method === 'GET' || preg_match(self::ONLY_READS, $template) || isset(Operations::IDEMPOTENT[$name]);
        for ($try = 1; ; $try += 1) {
            $isLast = !$mayRepeat || $try >= $this->attempts;
            $answer = $this->attempt($name, $target, $body, $headers);
            if ($answer === null && $isLast) {
                throw new ForewarnConnectionException('The service gave no answer that can be read.');
            }
            if ($answer !== null && ($isLast || !self::isPassing(...$answer))) {
                return self::read(...$answer);
            }
            $wait = $answer[1]['retry-after'] ?? '';
            $seconds = ctype_digit($wait)
                ? min((int) $wait, self::LONGEST_WAIT_SECONDS) + self::spread(0.25)
                : self::spread($this->pause * 2 ** ($try - 1));
            usleep((int) (1e6 * $seconds));
        }
    }

    /**
     * @param ?array<string, mixed> $body
     * @param array<string, string> $headers
     * @return ?array{int, array<string, string>, string} status, headers and text; null if no answer came
     */
    private function attempt(string $name, string $target, ?array $body, array $headers): ?array
    {
        $content = $body === null ? '' : json_encode($body === [] ? (object) [] : $body, JSON_THROW_ON_ERROR);
        $sent = [
            'user-agent' => 'forewarn-php/' . Operations::VERSION . ' php/' . PHP_VERSION,
            ...($this->token === null ? [] : ['authorization' => "Bearer $this->token"]),
            ...$this->proof($name, $body, $content),
            ...($body === null ? [] : ['content-type' => 'application/json']),
            ...$headers,
        ];
        $lines = array_map(fn (string $header, string $value): string => "$header: $value", array_keys($sent), $sent);
        [$method] = explode(' ', $name, 2);
        $options = ['method' => $method, 'header' => $lines, 'content' => $content, 'timeout' => $this->timeout];
        // The service sends no redirects; a token must not follow one.
        $context = stream_context_create(['http' => [...$options, 'ignore_errors' => true, 'follow_location' => 0]]);
        $text = @file_get_contents($target, false, $context);
        // PHP 8.5 deprecates the variable.
        $head = function_exists('http_get_last_response_headers') ? http_get_last_response_headers() : ($http_response_header ?? null);
        if ($text === false || $head === null || !preg_match('#^HTTP/\S+ (\d+)#', $head[0] ?? '', $found)) {
            return null;
        }
        $answered = [];
        foreach (array_slice($head, 1) as $line) {
            [$header, $value] = explode(':', $line, 2) + [1 => ''];
            $answered[strtolower($header)] = trim($value);
        }
        $isJson = str_starts_with($answered['content-type'] ?? '', 'application/json');
        return $isJson && !is_array(json_decode($text, true)) ? null : [(int) $found[1], $answered, $text];
    }

    /**
     * A signature if the operation accepts one, so that the rcode is not sent; otherwise the rcode. A body with a `hash` of its own is not signed.
     *
     * @param ?array<string, mixed> $body
     * @return array<string, string>
     */
    private function proof(string $name, ?array $body, string $content): array
    {
        if ($this->rcode === null || str_ends_with($name, self::TOKEN_PATH)) {
            return [];
        }
        if (isset($body['hash']) || !isset(Operations::SIGNABLE[$name])) {
            return ['rcode' => $this->rcode];
        }
        $seconds = $this->now === null ? time() : ($this->now)();
        return ['x-signature' => "t=$seconds,v1=" . hash_hmac('sha256', "$seconds.$content", $this->rcode)];
    }

    /** From half of a pause to all of it, so that callers that failed together do not return together. */
    private static function spread(float $seconds): float
    {
        return $seconds * (0.5 + mt_rand() / mt_getrandmax() / 2);
    }

    /** @param array<string, string|int> $path */
    private static function filled(string $template, array $path): string
    {
        return preg_replace_callback('/\{(\w+)\}/', fn (array $found): string => rawurlencode((string) ($path[$found[1]] ?? '')), $template);
    }

    /**
     * A conflict with `retry-after` is one whose first attempt is in progress.
     *
     * @param array<string, string> $headers
     */
    private static function isPassing(int $status, array $headers): bool
    {
        return $status === 429 || $status >= 500 || ($status === 409 && isset($headers['retry-after']));
    }

    /**
     * @param array<string, string> $headers
     * @return array<string, mixed>
     */
    private static function read(int $status, array $headers, string $text): array
    {
        $isJson = str_starts_with($headers['content-type'] ?? '', 'application/json');
        $body = $isJson ? json_decode($text, true, 64, JSON_THROW_ON_ERROR) : ['text' => $text];
        if ($status >= 300) {
            throw new ForewarnException($status, $body, $headers['x-request-id'] ?? null);
        }
        return $body;
    }
}
