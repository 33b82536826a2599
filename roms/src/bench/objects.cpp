/* SPDX-License-Identifier: MIT OR Apache-2.0
 * C++ with the standard library: virtual calls, containers, strings and exceptions. The program parses formulas into
 * trees, evaluates them with variables in a map, and catches errors. */
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" {
#include "../console/console.h"
void start_cpp();
}

namespace {

using Variables = std::map<std::string, u32>;

struct Expression {
    virtual ~Expression() = default;
    virtual u32 value(const Variables &variables) const = 0;
};

using Tree = std::unique_ptr<Expression>;

struct Number final : Expression {
    u32 number;
    explicit Number(u32 number) : number(number) {}
    u32 value(const Variables &) const override { return number; }
};

struct Variable final : Expression {
    std::string name;
    explicit Variable(std::string name) : name(std::move(name)) {}
    u32 value(const Variables &variables) const override { return variables.at(name); }
};

struct Binary : Expression {
    Tree left, right;
    Binary(Tree left, Tree right) : left(std::move(left)), right(std::move(right)) {}
};

struct Sum final : Binary {
    using Binary::Binary;
    u32 value(const Variables &v) const override { return left->value(v) + right->value(v); }
};

struct Product final : Binary {
    using Binary::Binary;
    u32 value(const Variables &v) const override { return left->value(v) * right->value(v); }
};

struct Quotient final : Binary {
    using Binary::Binary;
    u32 value(const Variables &v) const override {
        u32 divisor = right->value(v);
        if (divisor == 0)
            throw std::domain_error("division by zero");
        return left->value(v) / divisor;
    }
};

class Parser {
    const std::string &text;
    size_t at = 0;

  public:
    explicit Parser(const std::string &text) : text(text) {}

    Tree sum() {
        Tree left = product();
        while (take('+'))
            left = std::make_unique<Sum>(std::move(left), product());
        return left;
    }

    Tree product() {
        Tree left = atom();
        for (;;) {
            if (take('*'))
                left = std::make_unique<Product>(std::move(left), atom());
            else if (take('/'))
                left = std::make_unique<Quotient>(std::move(left), atom());
            else
                return left;
        }
    }

    Tree atom() {
        if (take('(')) {
            Tree inner = sum();
            if (!take(')'))
                throw std::invalid_argument("expected )");
            return inner;
        }
        size_t begin = at;
        while (at < text.size() && text[at] >= '0' && text[at] <= '9')
            at++;
        if (at > begin) {
            u32 number = 0;
            for (; begin < at; begin++)
                number = number * 10 + u32(text[begin] - '0');
            return std::make_unique<Number>(number);
        }
        while (at < text.size() && text[at] >= 'a' && text[at] <= 'z')
            at++;
        if (at == begin)
            throw std::invalid_argument("expected a number or a name");
        return std::make_unique<Variable>(text.substr(begin, at - begin));
    }

  private:
    bool take(char wanted) {
        if (at == text.size() || text[at] != wanted)
            return false;
        at++;
        return true;
    }
};

u32 seed = 5;

u32 random_below(u32 limit) {
    seed = seed * 1664525 + 1013904223;
    return (seed >> 16) % limit;
}

/* A random formula. About one in twenty is wrong. */
std::string formula(u32 depth) {
    static const char *const names[] = {"height", "width", "zero", "seven", "missing"};
    if (depth == 0)
        return random_below(2) ? std::to_string(random_below(1000)) : names[random_below(random_below(40) ? 4 : 5)];
    static const char operators[] = "+*/";
    std::string text = formula(depth - 1) + operators[random_below(3)] + formula(depth - 1);
    return random_below(3) ? "(" + text + (random_below(60) ? ")" : "") : text;
}

} // namespace

int main() {
    /* The library is compiled for PR = 1: FPU instructions are of double precision at the start of a function. */
    __asm__ volatile("lds %0, fpscr" : : "r"(0x000C0000));
    start_cpp();
    Variables variables{{"height", 480}, {"width", 640}, {"zero", 0}, {"seven", 7}};
    std::map<std::string, u32> errors;
    std::vector<u32> values;
    for (u32 n = 0; n < 3000; n++) {
        try {
            std::string text = formula(3);
            Tree tree = Parser(text).sum();
            for (u32 turn = 0; turn < 4; turn++) {
                variables["seven"] = turn + 5;
                values.push_back(tree->value(variables));
            }
        } catch (const std::exception &error) {
            errors[error.what()]++;
        }
    }
    u32 sum = 0;
    for (u32 value : values)
        sum = (sum << 1 | sum >> 31) ^ value;
    for (const auto &[text, count] : errors)
        sum = (sum << 1 | sum >> 31) ^ (count * u32(text.size()));
    print_number("values", u32(values.size()));
    print_number("kinds of errors", u32(errors.size()));
    print_hex("objects", sum);
    return 0;
}
