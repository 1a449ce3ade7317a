# Inline PTX of asynchronous copies becomes calls of the simulator:
#
#   asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(to), "l"(from));
#       -> cudasim::ptx_async_copy(to, from, 16, 16, true);
#   asm volatile("cp.async.commit_group;");
#       -> cudasim::async_commit();
#   asm volatile("cp.async.wait_group %0;" :: "n"(1));
#       -> cudasim::async_wait(1);
package RewriteCuda::Ptx;
use strict;
use warnings;
use Exporter 'import';
use RewriteCuda::Tokens;

our @EXPORT = qw(rewrite_ptx ptx_call);

# `$i` is where the word `asm` is. PTX that is not simulated has been refused.
sub rewrite_ptx {
    my ($tokens, $i) = @_;
    my ($call, $end) = ptx_call($tokens, $i) or return;
    my $line_ends = join('', @$tokens[$i .. $end]) =~ tr/\n//cdr;
    $tokens->[$_] = '' for $i .. $end;
    $tokens->[$i] = "$call$line_ends";
}

# The call that stands for the statement, and where its parenthesis closes; nothing for other assembly.
sub ptx_call {
    my ($tokens, $i) = @_;
    my $open = significant($tokens, $i + 1, 1);
    $open = significant($tokens, $open + 1, 1) while $open >= 0 && $tokens->[$open] =~ /^(?:__)?volatile(?:__)?$/;
    return if $open < 0 || $tokens->[$open] ne '(';
    my $end = skip_parentheses($tokens, $open);
    my ($instruction, @operands) = assembly_parts(@$tokens[$open + 1 .. $end - 1]);
    my $call = call_of($instruction, @operands) // return;
    return ($call, $end);
}

# The instruction, and the expressions that %0, %1 and so on stand for.
sub assembly_parts {
    my ($instruction, $section, $depth, @operands) = ('', 0, 0);
    for my $token (@_) {
        my $is_string = $token =~ /^"(.*)"$/s;
        if ($depth == 0 && $token =~ /^::?$/) { $section += length $token }
        elsif ($section == 0 && $is_string) { $instruction .= $token =~ s/^"|"$//gr }
        elsif ($section == 1 || $section == 2) {
            --$depth if $token eq ')';
            if    ($depth > 0)     { $operands[-1] .= is_blank($token) ? ' ' : $token }
            elsif ($token eq '(')  { push @operands, '' }
            ++$depth if $token eq '(';
        }
    }
    return ($instruction =~ s/\\[nt]/ /gr, @operands);
}

my $number = qr/%\d+|\d+/;
my $copy = qr/^\s*cp\.async\.(ca|cg)\.shared(?:::cta)?\.global(?:\.L2::(?:64|128|256)B)?\s*
              \[\s*(%\d+)\s*\]\s*,\s*\[\s*(%\d+)\s*\]\s*,\s*($number)\s*(?:,\s*($number)\s*)?;\s*$/x;

sub call_of {
    my ($instruction, @operands) = @_;
    my $value = sub { $_[0] =~ /^%(\d+)$/ ? '(' . ($operands[$1] // 'cudasim_no_such_operand') . ')' : $_[0] };
    if ($instruction =~ $copy) {
        my ($cache, $to, $from, $bytes, $source_bytes) = ($1, $2, $3, $4, $5 // $4);
        my $arguments = join ', ', map { $value->($_) } $to, $from, $bytes, $source_bytes;
        return "cudasim::ptx_async_copy($arguments, " . ($cache eq 'cg' ? 'true' : 'false') . ')';
    }
    return 'cudasim::async_commit()' if $instruction =~ /^\s*cp\.async\.commit_group\s*;\s*$/;
    return '(cudasim::async_commit(), cudasim::async_wait(0))' if $instruction =~ /^\s*cp\.async\.wait_all\s*;\s*$/;
    return 'cudasim::async_wait(' . $value->($1) . ')' if $instruction =~ /^\s*cp\.async\.wait_group\s+($number)\s*;\s*$/;
    return;
}

1;
